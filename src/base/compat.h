/* The one place for what ISO C17 does not have: 128-bit integers and compiler hints. */
#ifndef FST_BASE_COMPAT_H
#define FST_BASE_COMPAT_H

#if !defined(__GNUC__) || !defined(__SIZEOF_INT128__)
#error "foldstat needs gcc or clang on a 64-bit target"
#endif

__extension__ typedef __int128 fst_i128;
__extension__ typedef unsigned __int128 fst_u128;

#define FST_I128_MAX ((fst_i128)(((fst_u128)1 << 127) - 1))

#define FST_LIKELY(x)       __builtin_expect(!!(x), 1)
#define FST_UNLIKELY(x)     __builtin_expect(!!(x), 0)
#define FST_PRINTF(fmt, va) __attribute__((format(printf, fmt, va)))
/* For a function that is to become a part of each caller, with the instructions that it may use. */
#define FST_INLINE static inline __attribute__((always_inline))
/* How many elements an array has. */
#define FST_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Sum and product that report overflow; the result is stored in any case. */
#define FST_ADD_OVERFLOWS(a, b, out) __builtin_add_overflow((a), (b), (out))
#define FST_MUL_OVERFLOWS(a, b, out) __builtin_mul_overflow((a), (b), (out))

#endif

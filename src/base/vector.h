/* The vector instructions that a function may use, and whether the machine at hand has them.
 *
 * AVX-512 counts only with VBMI2: processors of that age run it at their full clock. */
#ifndef FST_BASE_VECTOR_H
#define FST_BASE_VECTOR_H

#include <stdbool.h>

#ifdef __x86_64__
#include <immintrin.h>

#define FST_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define FST_AVX512                                                                                 \
    __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vbmi2,bmi,bmi2,popcnt")))

static inline bool fst_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

static inline bool fst_has_avx512(void)
{
    return fst_has_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi2");
}
#endif

#ifdef __ARM_NEON
#include <arm_neon.h>
#endif

#endif

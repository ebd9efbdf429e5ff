/* Modules of compiled names that a language's run-time or compiler makes by a form of its own. */
#ifndef FST_MODEL_RUNTIME_H
#define FST_MODEL_RUNTIME_H

#include "base/buf.h"

/* The module that a symbol names, in it, in out (which is cleared first) or static; empty for a symbol
 * of no known form:
 *
 *     camlLwt__bind_1394                          Lwt                    OCaml
 *     Emulator.Video.activePoints.onBits          Emulator.Video         Haskell's cost centres
 *     GHC.IO.Handle.FD.CAF, Main.CAF:main1        GHC.IO.Handle.FD, Main
 *     System.Private.CoreLib!System.String.Join   System.Private.CoreLib .NET, and Windows
 *     void [Demo] Program::Main(string[])         Demo                   .NET for perf
 *     OpenTK.Vector3.get_Length()                 OpenTK                 .NET
 *     Java_java_net_SocketInputStream_read0       java.net               JNI
 *     _PyEval_EvalFrameDefault, PyList_Append     [python]               the interpreter's own
 *
 * Sources: OCaml's compilenv.ml, GHC's user guide on profiling, perf maps of .NET's runtime and dotnet-trace,
 * the JNI specification ("Resolving Native Method Names"), Python's C API ("Include Files"). */
struct fst_str fst_runtime_module(struct fst_str function, struct fst_buf *out);

#endif

/* What the C of every game begins with: the types that positions and values are made of, and the bounds of this code.
 *
 * V is a number, M and W are sets of numbers below 64 and 128, X4 and X8 of more, by the words they have.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What runs seldom and is long: it is to be compiled soon, not to be fast.  Compilers that know no such attribute pass over it. */
#define SELDOM __attribute__((cold, noinline, optimize("O0")))

typedef int64_t V;
typedef uint64_t M;
typedef unsigned __int128 W;
/* A set of N words, a vector, and what is asked of it by functions of the names that those of M and W have. */
#define WIDE_SETS(X, N) \
typedef uint64_t X __attribute__((vector_size(8 * N), aligned(8))); \
static void fault(RsState *S); \
static inline V pop##X(X m) { V n = 0; for (int i = 0; i < N; i++) n += __builtin_popcountll(m[i]); return n; } \
static inline V some##X(X m) { M x = 0; for (int i = 0; i < N; i++) x |= m[i]; return x != 0; } \
static inline V same##X(X a, X b) { return !some##X(a ^ b); } \
static inline V low##X(X m) { int i = 0; while (i < N - 1 && !m[i]) i++; return 64 * i + __builtin_ctzll(m[i]); } \
static inline V top##X(X m) { int i = N - 1; while (i && !m[i]) i--; return 64 * i + 63 - __builtin_clzll(m[i]); } \
static inline M rest##X(const X *m, int *k) { while (*k < N - 1) if ((*m)[++*k]) return (*m)[*k]; return 0; } \
static inline V has##X(X m, V i) { return (uint64_t)i < 64 * N && (m[i >> 6] >> (i & 63) & 1); } \
static inline V in##X(X m, V i) { return m[i >> 6] >> (i & 63) & 1; } /* i is a number that there is room for */ \
static inline X bit##X(RsState *S, V i) { X m = {0}; if ((uint64_t)i >= 64 * N) fault(S); m[i >> 6] = (M)1 << (i & 63); return m; } \
static inline X subset##X(RsState *S, X m, X of) { if (some##X(m & ~of)) fault(S); return m; } \
static inline V kth##X(X m, V k) { \
  int i = 0; \
  for (V n; k >= (n = __builtin_popcountll(m[i])); i++) k -= n; \
  M b = m[i]; \
  while (k--) b &= b - 1; \
  return 64 * i + __builtin_ctzll(b); \
} \
static inline X behind##X(X m, V last) { \
  for (int i = 0; i < N && 64 * i <= last; i++) m[i] = last >= 64 * i + 63 ? 0 : m[i] & ~(((M)2 << (last - 64 * i)) - 1); \
  return m; \
} \
static inline int compared##X(X a, X b) { \
  if (same##X(a, b)) return 0; \
  V x = low##X(a ^ b); \
  X left = behind##X(has##X(a, x) ? b : a, x); \
  return (has##X(a, x) != 0) == some##X(left) ? -1 : 1; \
}
#if WIDE
typedef W Mask; /* the actions of a question, where they are few */
#else
typedef M Mask;
#endif
typedef struct { char nothing; } E0;
/* The answer to a menu: rule -1 and the number of a branch, a rule and a piece or None (n is -1), or a rule and n arguments. */
typedef struct { V rule, n, a[MOST_ARGUMENTS]; } Pick;
static inline int same_pick(const Pick *x, const Pick *y) {
  if (x->rule != y->rule || x->n != y->n || *x->a != *y->a) return 0;
  for (V i = 1; i < x->n; i++) if (x->a[i] != y->a[i]) return 0;
  return 1;
}
/* Sets a list with room for many items to another: those that are there are copied. */
#define ROW(to, from) do { (to).n = (from).n; __builtin_memcpy((to).a, (from).a, (size_t)(from).n * sizeof *(from).a); } while (0)
/* Whether two lists of numbers are equal.  Most that differ do so in their first bytes, for which there is no call. */
#define BYTES(x) ((size_t)(x).n * sizeof *(x).a)
#define SAME_ROWS(x, y) ((x).n == (y).n && (BYTES(x) < 8 || !memcmp((x).a, (y).a, 8)) && !memcmp((x).a, (y).a, BYTES(x)))
/* A hash with one more number in it; of two numbers with the same hash before, it is never the same. */
static inline uint64_t mixed(uint64_t hash, uint64_t x) {
  hash = (hash ^ x) * 0x9E3779B97F4A7C15ULL;
  return hash ^ hash >> 32;
}
static inline uint64_t mixed_bytes(uint64_t hash, const void *from, size_t n) {
  const char *p = from;
  uint64_t x;
  hash = mixed(hash, n);
  for (; n >= sizeof x; n -= sizeof x, p += sizeof x) memcpy(&x, p, sizeof x), hash = mixed(hash, x);
  if (!n) return hash;
  x = 0;
  memcpy(&x, p, n);
  return mixed(hash, x);
}

enum { DONE, WAIT, LEAVE, FIN };
enum { CHUNK = 64, MOST_COPIED = 1024 }; /* bytes that are copied at once, and how many without a call */
enum { MOST_DEPTH = 200, MOST_STACK = 4 << 20, MOST_FUEL = 1500000, MOST_LASTING = 32 }; /* a thread has 8 MB of stack as a rule */
typedef struct { int n; V values[MOST_OUTCOMES], weights[MOST_OUTCOMES]; } Lottery;

/* Behind the position in every block: where a fault goes back to, where C's own stack began, and what may still be
 * spent until the next question. */
struct RsScratch { void *trap[5]; char *floor; int64_t steps, fuel; int32_t depth; };

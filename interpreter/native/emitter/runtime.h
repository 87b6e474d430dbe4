/* What the C of every game calls: numbers, sets, chance, bounds, and how it hands over.  It stands behind `struct RsState`.
 *
 * Whatever goes wrong, in the rules or with a bound of this code, is `fault(S)`: it goes back to where the object was entered, which
 * returns RS_HANDOVER.
 */
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

static inline int64_t used(const RsState *S) {
#if SEALED
  return offsetof(RsState, stack) + S->sp + S->extra;
#else
  return offsetof(RsState, stack) + S->sp;
#endif
}

/* Copies so many bytes of a position, and up to CHUNK more, for which there is room behind its stack.  Few are copied here, from one end to the
 * other: a call to memcpy ends with bytes that overlap those before, and whoever reads there next waits for both. */
static inline void copied(char *to, const char *from, int64_t n) {
  typedef int64_t Two __attribute__((vector_size(16), aligned(1), may_alias));
  if (n > MOST_COPIED) { memcpy(to, from, n); return; }
  for (; n > 0; n -= CHUNK, to += CHUNK, from += CHUNK) {
    Two a = *(const Two *)from, b = *(const Two *)(from + 16), c = *(const Two *)(from + 32), d = *(const Two *)(from + 48);
    *(Two *)to = a; *(Two *)(to + 16) = b; *(Two *)(to + 32) = c; *(Two *)(to + 48) = d;
  }
}

static _Thread_local int32_t why;
__attribute__((noreturn, cold, noinline)) static void handed(RsState *S, int32_t reason) { why = reason; __builtin_longjmp((S)->scratch.trap, 1); }
__attribute__((noreturn, cold, noinline)) static void fault(RsState *S) { handed(S, RS_RULES); }
/* A list of this C has no room for one more item. */
__attribute__((noreturn, cold, noinline, unused)) static void full(RsState *S) { handed(S, RS_FULL); }
__attribute__((noreturn, cold, noinline, unused)) static void lacking(RsState *S) { handed(S, RS_LACKING); }

#define STEP(S, n) do { if (UNLIKELY(((S)->scratch.steps -= (n)) < 0)) fault(S); } while (0)
#define FUEL(S, n) do { if (UNLIKELY(((S)->scratch.fuel -= (n)) < 0)) handed(S, RS_WORK); } while (0)
#define SPAN(S, low, high, cost) do { if ((high) >= (low)) { if (UNLIKELY((uint64_t)((high) - (low)) > MOST_FUEL)) handed(S, RS_WORK); FUEL(S, ((high) - (low) + 1) * (cost) + 1); } } while (0)
#define DEEP(S) ((S)->scratch.floor - (char *)__builtin_frame_address(0) > MOST_STACK)
#define DEEPER(S) do { if (UNLIKELY(++(S)->scratch.depth > MOST_DEPTH || DEEP(S))) handed(S, RS_DEPTH); } while (0)
#define SHALLOWER(S) ((S)->scratch.depth--)
#define SORT(q) for (int i = 1; i < (q).n; i++) { V x = (q).a[i]; int j = i; for (; j > 0 && (q).a[j - 1] > x; j--) (q).a[j] = (q).a[j - 1]; (q).a[j] = x; }
#define DISTINCT(q) { int n = 0; for (int i = 0; i < (q).n; i++) if (!n || (q).a[n - 1] != (q).a[i]) (q).a[n++] = (q).a[i]; (q).n = n; }
#define ASCENDING(S, q) for (int i = 1; i < (q).n; i++) if ((q).a[i - 1] >= (q).a[i]) fault(S)
#define PUT(x) do { if (!(o = put_(o, end, (x)))) return 0; } while (0)
#define PUT_OR_NONE(x) do { if (!(o = put_or_none_(o, end, (x)))) return 0; } while (0)
#define GET(x) do { if (i_ >= end_) return RS_HANDOVER; (x) = *i_++; } while (0)
#define NUMBER(low, high, none) do { if (!number_(&i_, end_, low, high, none, &x)) return RS_HANDOVER; } while (0)

/* Positions as numbers are written and read by calls, not in line: there are many places, and time does not matter there. */
__attribute__((cold, noinline, unused)) static int64_t *put_(int64_t *o, const int64_t *end, V x) { if (o >= end) return 0; *o = x; return o + 1; }
__attribute__((cold, noinline, unused)) static int64_t *put_or_none_(int64_t *o, const int64_t *end, V x) { return put_(o, end, x == NONE ? RS_NONE : x); }
__attribute__((cold, noinline, unused)) static int number_(const int64_t **at, const int64_t *end, V low, V high, int none, V *to) {
  if (*at >= end) return 0;
  V x = *(*at)++;
  if (x == RS_NONE) { *to = NONE; return none; }
  if (x < low || x > high || (none && x == NONE)) return 0;
  *to = x;
  return 1;
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */
static inline V add_(RsState *S, V a, V b) { V r; if (UNLIKELY(__builtin_add_overflow(a, b, &r) || r == INT64_MIN)) fault(S); return r; }
static inline V sub_(RsState *S, V a, V b) { V r; if (UNLIKELY(__builtin_sub_overflow(a, b, &r) || r == INT64_MIN)) fault(S); return r; }
static inline V mul_(RsState *S, V a, V b) { V r; if (UNLIKELY(__builtin_mul_overflow(a, b, &r) || r == INT64_MIN)) fault(S); return r; }
static inline V div_(RsState *S, V a, V b) { if (UNLIKELY(!b)) fault(S); V q = a / b; return (a % b && (a < 0) != (b < 0)) ? q - 1 : q; }
static inline V mod_(RsState *S, V a, V b) { if (UNLIKELY(!b)) fault(S); V r = a % b; return (r && (r < 0) != (b < 0)) ? r + b : r; }
static inline V parts_(RsState *S, V a, V b) { if (UNLIKELY(b < 1 || a % b)) fault(S); return a / b; }
static inline V abs_(V a) { return a < 0 ? -a : a; }
static inline V min_(V a, V b) { return a < b ? a : b; }
static inline V max_(V a, V b) { return a > b ? a : b; }
static inline V points_(V a, V b) { return b ? a : 0; }
static inline V compare_(V a, V b) { return a < b ? 0 : a > b ? 2 : 1; }
static inline V rival_(RsState *S, V a, V players) { if (players != 2) fault(S); return 1 - a; }
static inline V at_(RsState *S, V i, V n) { if (UNLIKELY((uint64_t)i >= (uint64_t)n)) fault(S); return i; }
static inline V some_(RsState *S, V a, V none) { if (UNLIKELY(a == none)) fault(S); return a; }
static inline V less_(RsState *S, V a, V b, V none) { if (UNLIKELY(a == none || b == none)) fault(S); return a < b; }
static inline int compared_(RsState *S, V a, V b, V none) { if (UNLIKELY(a != b && (a == none || b == none))) fault(S); return (a > b) - (a < b); }
static inline V none_(RsState *S, V a, V none) { if (UNLIKELY(a != none)) fault(S); return a; }
static inline V ranged(RsState *S, V a, V low, V high) { if (UNLIKELY(a < low || a > high)) fault(S); return a; }
static inline V ranged_or(RsState *S, V a, V low, V high, V none) { if (UNLIKELY(a != none && (a < low || a > high))) fault(S); return a; }

static inline M paidM(RsState *S, int64_t n, M m) { FUEL(S, n); return m; }
static inline W paidW(RsState *S, int64_t n, W m) { FUEL(S, n); return m; }

/* --- sets ----------------------------------------------------------------------------------------------------------- */
static inline V popM(M m) { return __builtin_popcountll(m); }
static inline V popW(W m) { return __builtin_popcountll((M)m) + __builtin_popcountll((M)(m >> 64)); }
static inline V lowM(M m) { return __builtin_ctzll(m); }
static inline V lowW(W m) { return (M)m ? __builtin_ctzll((M)m) : 64 + __builtin_ctzll((M)(m >> 64)); }
static inline V topM(M m) { return 63 - __builtin_clzll(m); }
static inline V topW(W m) { return (M)(m >> 64) ? 127 - __builtin_clzll((M)(m >> 64)) : 63 - __builtin_clzll((M)m); }
/* A set moved down by `o`, or up: what leaves it is lost, or comes back where nobody looks. */
static inline M shiftM(M m, int o) { return m >> (o & 63) | m << (-o & 63); }
static inline W shiftW(W m, int o) { return o < 0 ? m << -o : m >> o; }
static inline V hasM(M m, V i) { return (uint64_t)i < 64 && (m >> i & 1); }
static inline V hasW(W m, V i) { return (uint64_t)i < 128 && (V)(m >> i & 1); }
static inline M bitM(RsState *S, V i) { if (UNLIKELY((uint64_t)i >= 64)) fault(S); return (M)1 << i; }
static inline W bitW(RsState *S, V i) { if (UNLIKELY((uint64_t)i >= 128)) fault(S); return (W)1 << i; }
static inline M subsetM(RsState *S, M m, M of) { if (UNLIKELY(m & ~of)) fault(S); return m; }
static inline W subsetW(RsState *S, W m, W of) { if (UNLIKELY((m & ~of) != 0)) fault(S); return m; }
static inline M behindM(M m, V last) { return last >= 63 ? 0 : m & ~(((M)2 << last) - 1); }
static inline W behindW(W m, V last) { return last >= 127 ? 0 : m & ~(((W)2 << last) - 1); }
/* Sets as their items, ascending, compare: the first that only one of them has decides, unless the other has none behind it. */
static inline int comparedM(M a, M b) { M d = a ^ b; if (!d) return 0; d &= -d; return a & d ? (b & -d ? -1 : 1) : (a & -d ? 1 : -1); }
static inline int comparedW(W a, W b) { W d = a ^ b; if (!d) return 0; d &= -d; return a & d ? ((b & -d) != 0 ? -1 : 1) : ((a & -d) != 0 ? 1 : -1); }
static inline M narrow_(RsState *S, W m) { if (UNLIKELY((M)(m >> 64))) fault(S); return (M)m; }
#ifdef __BMI2__
/* Not by <immintrin.h>: to read that takes half of the time of a small game. */
static inline V kthM(M m, V k) { return __builtin_ctzll(__builtin_ia32_pdep_di((M)1 << k, m)); }
#else
static inline V kthM(M m, V k) { while (k--) m &= m - 1; return __builtin_ctzll(m); }
#endif
static inline V kthW(W m, V k) { V low = popM((M)m); return k < low ? kthM((M)m, k) : 64 + kthM((M)(m >> 64), k - low); }
static inline int ascending(int32_t *a, int n) {
  for (int i = 1; i < n; i++) { int32_t x = a[i]; int j = i; while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x; }
  int k = 0;
  for (int i = 0; i < n; i++) if (!k || a[k - 1] != a[i]) a[k++] = a[i];
  return k;
}

/* --- chance: interpreter/runtime/rng.py, `mixed` being mix(seed ^ KEY) -------------------------------------------------- */
#define GAMMA 0x9E3779B97F4A7C15ULL
#define KEY 0x5DEECE66D1CE4E5BULL
static inline uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}
static inline uint64_t below(uint64_t mixed, uint64_t *counter, uint64_t limit) {
  for (;;) {
    uint64_t z = mix(mixed + ++*counter * GAMMA);
    if (UNLIKELY(z > UINT64_MAX - limit)) { /* rare: the exact bound of fairness */
      uint64_t fair = -limit % limit;       /* 2**64 modulo limit */
      if (fair && z >= -fair) continue;
    }
    return z % limit;
  }
}
static inline void outcome(RsState *S, Lottery *lot, V value, V weight) {
  if (!weight) return;
  int j = 0;
  while (j < lot->n && lot->values[j] != value) j++;
  if (j == lot->n) { if (UNLIKELY(j >= MOST_OUTCOMES)) handed(S, RS_OUTCOMES); lot->values[j] = value; lot->weights[j] = 0; lot->n++; }
  lot->weights[j] = add_(S, lot->weights[j], weight);
}
/* An outcome that is none of those that are there. */
static inline void another(RsState *S, Lottery *lot, V value) {
  if (UNLIKELY(lot->n >= MOST_OUTCOMES)) handed(S, RS_OUTCOMES);
  lot->values[lot->n] = value;
  lot->weights[lot->n++] = 1;
}
static inline V fall(RsState *S, Lottery *lot, uint64_t mixed, uint64_t *counter) {
  V total = 0, k = 0;
  for (int i = 0; i < lot->n; i++) total = add_(S, total, lot->weights[i]);
  V x = (V)below(mixed, counter, (uint64_t)total);
  while (x >= lot->weights[k]) x -= lot->weights[k++];
  return k;
}

/* The actions of a mask, where there is one, as a list; one of them; the first. */
static inline int expand(int n, Mask mask, int32_t *out) {
  int j = 0;
  for (M m = (M)mask; m; m &= m - 1) out[j++] = (int32_t)lowM(m);
#if WIDE
  for (M m = (M)(mask >> 64); m; m &= m - 1) out[j++] = 64 + (int32_t)lowM(m);
#endif
  return n;
}
#if WIDE
#define CHOICE(mask, k) kthW(mask, k)
#define FIRST(mask) lowW(mask)
#else
#define CHOICE(mask, k) kthM(mask, k)
#define FIRST(mask) lowM(mask)
#endif

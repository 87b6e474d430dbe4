/* What the C of every game begins with: the types that positions and values are made of, and the bounds of this code.
 *
 * V is a number, M and W are sets of numbers below 64 and 128.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What runs seldom and is long: it is to be compiled soon, not to be fast.  Compilers that know no such attribute pass over it. */
#define SELDOM __attribute__((cold, noinline, optimize("O0")))

typedef int64_t V;
typedef uint64_t M;
typedef unsigned __int128 W;
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

enum { DONE, WAIT, LEAVE, FIN };
enum { CHUNK = 64, MOST_COPIED = 1024 }; /* bytes that are copied at once, and how many without a call */
enum { MOST_DEPTH = 200, MOST_FUEL = 1500000, MOST_LASTING = 32 };
typedef struct { int n; V values[MOST_OUTCOMES], weights[MOST_OUTCOMES]; } Lottery;

/* Behind the position in every block: where a fault goes back to, and what may still be spent until the next question. */
struct RsScratch { void *trap[5]; int64_t steps, fuel; int32_t depth; };

/* The interface of abi.h, the same for every game: it stands behind what was written for one. */

static inline int top_point(const uint8_t *top) { uint16_t x; memcpy(&x, top - 2, 2); return x; }

static void ready(RsState *S) {
  S->scratch.steps = STEP_LIMIT;
  S->scratch.fuel = MOST_FUEL;
  S->scratch.depth = 0;
  S->scratch.floor = __builtin_frame_address(0);
#if AHEAD
  S->looking = 0;
#endif
}

/* A fault while something was looked at leaves the position as it was. */
static void stop_looking(RsState *S) {
#if AHEAD
  if (S->looking) put_back(S);
#else
  (void)S;
#endif
}

/* Go on with `S->val`, or with what `answer_at` left, until somebody waits or all is over. */
static int go(RsState *S) {
  S->leaving = -1;
  int r = resume(S, top_point(S->stack + S->sp));
  while (r != WAIT && r != FIN) {
    if (!S->sp) { if (r == LEAVE) fault(S); return FIN; }
    if (r != LEAVE) S->leaving = -1;
    r = resume(S, top_point(S->stack + S->sp));
  }
  return r;
}

#if SEALED
/* What stands behind the frame of sealed choices: the frames of each seat that has not answered, one after another. */
static inline uint8_t *child_stack(RsState *S, int seat) { return S->stack + S->sp + S->child[seat].at; }

/* The frames of a seat are taken out; those behind them move up. */
static void drop_child(RsState *S, int seat, int behind) {
  int at = S->child[seat].at, size = S->child[seat].size;
  uint8_t *from = S->stack + S->sp + at;
  memmove(from, from + size, S->extra - at - size + behind);
  for (int k = 0; k < PLAYERS; k++) if (S->child[k].state == 1 && S->child[k].at > at) S->child[k].at -= size;
  S->extra -= size;
  S->child[seat].size = 0;
}

/* A sealed answer: the seat's frames are put on top while its procedure runs. */
static int go_child(RsState *S, int seat) {
  int base = S->sp, fork = top_point(S->stack + base), floor = base + S->extra, used = S->child[seat].size;
  if (floor + used > STACK) handed(S, RS_WAITING);
  memcpy(S->stack + floor, child_stack(S, seat), used);
  S->sp = floor + used;
  S->leaving = -1;
  int r = resume(S, top_point(S->stack + S->sp));
  while (r != WAIT) {
    if (r != DONE) fault(S);
    if (S->sp == floor) break;
    r = resume(S, top_point(S->stack + S->sp));
  }
  used = S->sp - floor;
  S->sp = base;
  if (r == WAIT) {
    drop_child(S, seat, used);
    S->child[seat].at = S->extra;
    S->child[seat].size = used;
    S->extra += used;
    return WAIT;
  }
  drop_child(S, seat, 0);
  S->child[seat].state = 2;
  seal(S, fork, seat);
  for (int k = 0; k < PLAYERS; k++) if (S->child[k].state == 1) return WAIT;
  return go(S);
}
#endif

/* Where a seat is asked: the point, the top of its frame, and the seat if the choice is sealed (-1: it is not). */
typedef struct { int point, sealed; uint8_t *top; } Asking;

static inline int asking(RsState *S, int seat, Asking *a) {
  if (!S->sp) return 0;
  a->top = S->stack + S->sp;
  a->sealed = -1;
  a->point = top_point(a->top);
#if SEALED
  if (kind_of[a->point] == FORKS) {
    for (int s = 0; s < PLAYERS; s++) {
      if (S->child[s].state == 1 && (seat == RS_FIRST || seat == s)) {
        a->sealed = s;
        a->top = child_stack(S, s) + S->child[s].size;
        a->point = top_point(a->top);
        return 1;
      }
    }
    return 0;
  }
#endif
  if (seat == RS_FIRST) return 1;
  if (kind_of[a->point] == DRAWS) return seat == RS_CHANCE;
  return kind_of[a->point] == ASKS && seat_at(S, a->point, a->top) == seat;
}

static inline int who(RsState *S, const Asking *a) {
  if (kind_of[a->point] == DRAWS) return RS_CHANCE;
  if (a->sealed >= 0) return a->sealed;
  V seat = seat_at(S, a->point, a->top);
  if ((uint64_t)seat >= PLAYERS) fault(S);
  return (int)seat;
}

static inline int go_on(RsState *S, const Asking *a) {
#if SEALED
  if (a->sealed >= 0) return go_child(S, a->sealed);
#endif
  return go(S);
}

static RsState opening;
static void begin(RsState *S, uint64_t seed, int seeded) {
  copy(&opening, S);
  S->seed = seed;
  S->mixed = mix(seed ^ KEY);
  S->counter = 0;
  S->seeded = seeded != 0;
  if (seeded && S->sp && kind_of[top_point(S->stack + S->sp)] == DRAWS) {
    int point = top_point(S->stack + S->sp);
    Lottery lot;
    chance_at(S, point, S->stack + S->sp, &lot);
    V k = fall(S, &lot, S->mixed, &S->counter);
    S->val = lot.values[k];
    ready(S);
    go(S);
  }
}

#define GUARD(S) do { ready(S); if (__builtin_setjmp((S)->scratch.trap)) { stop_looking(S); return RS_HANDOVER; } } while (0)

int32_t rs_abi(void) { return RS_ABI; }
int32_t rs_why(void) { return why; }
int64_t rs_size(void) { return (sizeof(RsState) + 15) & ~(int64_t)15; }
int32_t rs_players(void) { return PLAYERS; }
int64_t rs_unit(void) { return UNIT; }
int32_t rs_most_actions(void) { return MOST_ACTIONS + 1; }
int64_t rs_most_numbers(void) { return MOST_NUMBERS; }

int64_t rs_used(const RsState *S) { return used(S); }
void rs_copy(const RsState *from, RsState *to) { copy(from, to); }
int64_t rs_pack(const RsState *S, void *to) {
  char *o = to;
  int64_t n = 0;
#define PART(at, bytes) do { int64_t z = (bytes); if (o) memcpy(o + n, (at), z); n += z; } while (0)
  PARTS
#undef PART
  return n;
}
void rs_unpack(const void *from, RsState *S) {
  const char *o = from;
#define PART(at, bytes) do { int64_t z = (bytes); memcpy((void *)(at), o, z); o += z; } while (0)
  PARTS
#undef PART
}

int32_t rs_open(void) {
  static int32_t opened = 1; /* what the first call has returned: an object that is loaded twice is still one */
  RsState *S = &opening;
  if (opened <= 0) return opened;
  opened = RS_HANDOVER;
  GUARD(S);
  fill(S);
  S->leaving = -1;
  first(S);
  return opened = 0;
}

int32_t rs_new(RsState *S, uint64_t seed, int32_t seeded) { GUARD(S); begin(S, seed, seeded); return 0; }

int32_t rs_player(RsState *S) {
  if (!S->sp) return RS_TERMINAL;
  GUARD(S);
  Asking a;
  if (!asking(S, RS_FIRST, &a)) fault(S);
  return who(S, &a);
}

int32_t rs_pending(RsState *S, int32_t *seats) {
  if (!S->sp) return 0;
  GUARD(S);
  int n = 0;
#if SEALED
  if (kind_of[top_point(S->stack + S->sp)] == FORKS) {
    for (int s = 0; s < PLAYERS; s++) if (S->child[s].state == 1) seats[n++] = s;
    return n;
  }
#endif
  Asking a;
  asking(S, RS_FIRST, &a);
  int seat = who(S, &a);
  if (seat != RS_CHANCE) seats[n++] = seat;
  return n;
}

int32_t rs_sealed(RsState *S, int32_t *seats) {
  int n = 0;
#if SEALED
  if (S->sp && kind_of[top_point(S->stack + S->sp)] == FORKS)
    for (int s = 0; s < PLAYERS; s++) if (S->child[s].state) seats[n++] = s;
#endif
  (void)S; (void)seats;
  return n;
}

int32_t rs_point(RsState *S, int32_t seat) {
  GUARD(S);
  Asking a;
  return asking(S, seat, &a) ? a.point : RS_ILLEGAL;
}

int32_t rs_legal(RsState *S, int32_t seat, int32_t *actions, int32_t room) {
  GUARD(S);
  Asking a;
  if (!asking(S, seat, &a)) return RS_ILLEGAL;
  if (kind_of[a.point] == DRAWS) {
    Lottery lot;
    chance_at(S, a.point, a.top, &lot);
    if (lot.n > room) return RS_ROOM;
    for (int i = 0; i < lot.n; i++) actions[i] = i;
    return lot.n;
  }
  Mask mask;
  int32_t out[MOST_ACTIONS + 1];
  int n = legal_at(S, a.point, a.top, out, &mask);
  if (!n) fault(S);
  if (n > room) return RS_ROOM;
  if (mask) return expand(n, mask, actions);
  memcpy(actions, out, n * sizeof *out);
  return n;
}

int32_t rs_asked(RsState *S, int32_t *player, uint64_t *few, int32_t *actions, int32_t room) {
  few[0] = few[1] = 0;
  if (!S->sp) { *player = RS_TERMINAL; return 0; }
  GUARD(S);
  Asking a;
  if (!asking(S, RS_FIRST, &a)) fault(S);
  *player = who(S, &a);
  if (*player == RS_CHANCE) {
    Lottery lot;
    chance_at(S, a.point, a.top, &lot);
    if (lot.n && lot.n < 64) { few[0] = ((uint64_t)1 << lot.n) - 1; return lot.n; }
    if (lot.n > room) return RS_ROOM;
    for (int i = 0; i < lot.n; i++) actions[i] = i;
    return lot.n;
  }
  Mask mask;
  int32_t out[MOST_ACTIONS + 1];
  int n = legal_at(S, a.point, a.top, out, &mask);
  if (!n) fault(S);
  if (mask) {
    few[0] = (M)mask;
#if WIDE
    few[1] = (M)(mask >> 64);
#endif
    return n;
  }
  if (n > room) return RS_ROOM;
  memcpy(actions, out, n * sizeof *out);
  return n;
}

static int32_t answer(RsState *S, const Asking *a, int32_t action) {
  if (kind_of[a->point] == DRAWS) {
    Lottery lot;
    chance_at(S, a->point, a->top, &lot);
    if (action < 0 || action >= lot.n) return RS_ILLEGAL;
    S->val = lot.values[action];
  } else {
    int32_t bad = answer_at(S, a->point, a->top, action);
    if (bad) return bad;
  }
  ready(S);
  go_on(S, a);
  return 0;
}

int32_t rs_apply(const RsState *from, RsState *S, int32_t seat, int32_t action) {
  copy(from, S);
  if (!S->sp) return RS_ILLEGAL;
  GUARD(S);
  Asking a;
  return asking(S, seat, &a) ? answer(S, &a, action) : RS_ILLEGAL;
}

int32_t rs_returns(const RsState *S, int64_t *returns) {
  for (int i = 0; i < PLAYERS; i++) returns[i] = !S->sp && S->g3[0].some && i < S->g3[0].v.n ? S->g3[0].v.a[i] : 0;
  return !S->sp;
}

/* Whether nobody has a choice for as long as it is looked: played on in `S`, which is lost. */
static int forced(RsState *S, int64_t decisions) {
  uint64_t counter = S->counter;
  int64_t looks = 4 * (decisions & -decisions);
  int32_t out[MOST_ACTIONS + 1];
  for (int64_t i = 0; i < looks; i++) {
    Asking a;
    Mask mask;
    if (!asking(S, RS_FIRST, &a) || kind_of[a.point] == DRAWS) return 0;
    int n = legal_at(S, a.point, a.top, out, &mask);
    if (!n) fault(S);
    if (n > 1) return 0;
    if (answer(S, &a, mask ? (int32_t)FIRST(mask) : out[0])) fault(S);
    if (S->counter != counter) return 0;
  }
  return 1;
}

int32_t rs_endless(RsState *S, int64_t decisions) {
  RsState later;
  copy(S, &later);
  ready(&later);
  if (__builtin_setjmp(later.scratch.trap)) return 1;
  return forced(&later, decisions);
}

/* Uniformly random choices to the end; how many answers the game then has, or RS_HANDOVER. */
static int64_t play_on(RsState *S, uint64_t seed, int64_t count, int64_t most) {
  uint64_t mixed = mix(mix(seed ^ GAMMA) ^ KEY), counter = 0;
  int32_t out[MOST_ACTIONS + 1];
  for (; count <= most; count++) {
    Asking a;
    if (!asking(S, RS_FIRST, &a)) { if (S->sp) fault(S); return count; }
    Mask mask;
    ready(S);
    int n = legal_at(S, a.point, a.top, out, &mask);
    if (UNLIKELY(n < 2)) {
      if (!n) fault(S);
      if (UNLIKELY(count && !(count & 63)) && rs_endless(S, count)) return RS_HANDOVER;
    }
    V j = n > 1 ? (V)below(mixed, &counter, (uint64_t)n) : 0;
    V action = mask ? CHOICE(mask, j) : out[j];
    if (answer_at(S, a.point, a.top, action)) fault(S);
    ready(S);
    go_on(S, &a);
  }
  return RS_HANDOVER;
}

int64_t rs_playout(RsState *S, uint64_t seed, int64_t most) {
  GUARD(S);
  begin(S, seed, 1);
  return play_on(S, seed, 0, most);
}

int64_t rs_play_on(RsState *S, uint64_t seed, int64_t decisions, int64_t most) {
  GUARD(S);
  return S->seeded ? play_on(S, seed, decisions, most) : RS_HANDOVER;
}

int64_t rs_playouts(RsState *work, uint64_t first_seed, int64_t games, int64_t most, int64_t *answers, int64_t *returns) {
  int64_t all = 0;
  for (int64_t i = 0; i < games; i++) {
    int64_t n = rs_playout(work, first_seed + (uint64_t)i, most);
    if (n > 0) all += n;
    if (answers) answers[i] = n;
    if (returns) {
      if (n >= 0) rs_returns(work, returns + i * PLAYERS);
      else memset(returns + i * PLAYERS, 0, PLAYERS * sizeof *returns);
    }
  }
  return all;
}

/* --- positions as numbers ------------------------------------------------------------------------------------------------ */
static int64_t *export_stack(RsState *S, uint8_t *stack, int sp, int64_t *o, int64_t *end) {
  uint8_t *tops[STACK / 2];
  int n = 0;
  for (; sp > 0; sp -= size_of[top_point(stack + sp)]) tops[n++] = stack + sp;
  PUT(n);
  while (n--) {
    int point = top_point(tops[n]);
    PUT(point);
    if (!(o = export_frame(S, point, tops[n], o, end))) return 0;
  }
  return o;
}

int64_t rs_export(RsState *S, int64_t *numbers, int64_t room) {
  GUARD(S);
  int64_t *end = numbers + room, *o = numbers;
  if (room < 3) return RS_ROOM;
  *o++ = S->seeded;
  *o++ = (int64_t)(S->seeded ? S->seed : 0);
  *o++ = (int64_t)(S->seeded ? S->counter : 0);
  if (!(o = export_slots(S, o, end)) || !(o = export_stack(S, S->stack, S->sp, o, end))) return RS_ROOM;
#if SEALED
  int fork = S->sp ? top_point(S->stack + S->sp) : -1;
  if (fork >= 0 && kind_of[fork] == FORKS) {
    for (int s = 0; s < PLAYERS; s++) {
      if (o >= end) return RS_ROOM;
      *o++ = S->child[s].state;
      if (S->child[s].state == 1 && !(o = export_stack(S, child_stack(S, s), S->child[s].size, o, end))) return RS_ROOM;
      if (S->child[s].state == 2 && !(o = export_sealed(S, fork, s, o, end))) return RS_ROOM;
    }
  }
#endif
  return o - numbers;
}

/* The frames of one stack; each must be of the procedure that the one below it runs.  `bottom`: of which procedure the lowest is. */
static int32_t import_stack(RsState *S, uint8_t *stack, int most, int32_t *sp, int bottom, int sealed, const int64_t **at, const int64_t *end_) {
  const int64_t *i_ = *at;
  V n, k;
  int expected = bottom;
  GET(n);
  *sp = 0;
  for (; n > 0; n--) {
    GET(k);
    if (k < 0 || k >= POINTS || !kind_of[k] || *sp + size_of[k] > most) return RS_HANDOVER;
    if (expected >= 0 ? procedure_of[k] != expected : expected == ANY_RULE && !runs_rule[procedure_of[k]]) return RS_HANDOVER;
    if ((n > 1) != (kind_of[k] == CALLS)) return RS_HANDOVER;
    if (sealed && kind_of[k] != CALLS && kind_of[k] != ASKS) return RS_HANDOVER;
    int32_t bad = import_frame(S, (int)k, stack + *sp, &i_, end_);
    if (bad) return bad;
    *sp += size_of[k];
    expected = callee_of[k];
  }
  *at = i_;
  return 0;
}

int32_t rs_import(RsState *S, const int64_t *numbers, int64_t count) {
  const int64_t *i_ = numbers, *end_ = numbers + count;
  memset(S, 0, sizeof *S);
  GUARD(S);
  V seeded, seed, counter;
  GET(seeded); GET(seed); GET(counter);
  S->leaving = -1;
  S->seeded = seeded != 0;
  S->seed = (uint64_t)seed;
  S->mixed = mix((uint64_t)seed ^ KEY);
  S->counter = (uint64_t)counter;
  int32_t bad = import_slots(S, &i_, end_);
  if (bad) return bad;
  if ((bad = import_stack(S, S->stack, STACK, &S->sp, MAIN, 0, &i_, end_))) return bad;
#if SEALED
  int fork = S->sp ? top_point(S->stack + S->sp) : -1;
  if (fork >= 0 && kind_of[fork] == FORKS) {
    int open = 0;
    for (int s = 0; s < PLAYERS; s++) {
      V state;
      GET(state);
      if (state < 0 || state > 2) return RS_HANDOVER;
      S->child[s].state = (int32_t)state;
      if (state == 1) {
        open = 1;
        S->child[s].at = S->extra;
        if ((bad = import_stack(S, child_stack(S, s), STACK - S->sp - S->extra, &S->child[s].size, callee_of[fork], 1, &i_, end_))) return bad;
        if (!S->child[s].size) return RS_HANDOVER;
        S->extra += S->child[s].size;
      }
      if (state == 2 && (bad = import_sealed(S, fork, s, &i_, end_))) return bad;
    }
    if (!open) return RS_HANDOVER;
  }
#endif
  return i_ == end_ ? 0 : RS_HANDOVER;
}

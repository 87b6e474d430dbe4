/* The game of race.yaml written by hand against the interface of `interpreter/native/abi.h`: what tests what loads such objects.
 *
 * With HAND_OVER it leaves to Python every answer of who stands there; with LOOSE it cannot hold a runner there at all.
 * With another GOAL, FAST or STEP it plays other rules: where a runner wins, from where on nobody may go 2, and what 1 is worth.  */
#include "abi.h"

#include <string.h>

#ifndef HAND_OVER
#define HAND_OVER -1
#endif
#ifndef LOOSE
#define LOOSE -1
#endif
#ifndef GOAL
#define GOAL 9
#endif
#ifndef FAST
#define FAST 6
#endif
#ifndef STEP
#define STEP 1
#endif
#ifndef ABI
#define ABI RS_ABI
#endif

enum { ASK, ROLL, OVER };
struct RsState {
  uint64_t seed, counter;
  int64_t place[2];
  int32_t seeded, at, runner, pace, winner, unused;
};

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* Numbers that would favour small results are thrown away; so few that no test meets one with these limits. */
static uint64_t below(uint64_t seed, uint64_t *counter, uint64_t limit) {
  return mix(mix(seed ^ 0x5DEECE66D1CE4E5Bu) + ++*counter * 0x9E3779B97F4A7C15u) % limit;
}

static int32_t go(RsState *s, int32_t face) {
  int64_t *place = &s->place[s->runner];
  *place += s->pace * STEP + face;
  s->runner = 1 - s->runner;
  s->pace = 0;
  s->at = *place >= GOAL ? OVER : ASK;
  if (s->at == OVER)
    s->winner = 1 - s->runner;
  return s->place[0] == LOOSE || s->place[1] == LOOSE ? RS_HANDOVER : 0;
}

int32_t rs_abi(void) { return ABI; }
int32_t rs_open(void) { return 0; }
int64_t rs_size(void) { return sizeof(RsState); }
int32_t rs_players(void) { return 2; }
int64_t rs_unit(void) { return 1; }
int32_t rs_most_actions(void) { return 3; }
int64_t rs_most_numbers(void) { return 9; }
int64_t rs_used(const RsState *s) { return s ? (int64_t)sizeof(RsState) : 0; }

void rs_copy(const RsState *from, RsState *to) { *to = *from; }
int64_t rs_pack(const RsState *s, void *to) {
  if (to)
    memcpy(to, s, sizeof *s);
  return sizeof *s;
}
void rs_unpack(const void *from, RsState *to) { memcpy(to, from, sizeof *to); }

int32_t rs_new(RsState *s, uint64_t seed, int32_t seeded) {
  memset(s, 0, sizeof *s);
  s->seed = seed;
  s->seeded = seeded;
  s->winner = -1;
  return 0;
}

int32_t rs_player(RsState *s) { return s->at == OVER ? RS_TERMINAL : s->at == ROLL ? RS_CHANCE : s->runner; }

int32_t rs_pending(RsState *s, int32_t *seats) {
  *seats = s->runner;
  return s->at == ASK;
}

int32_t rs_sealed(RsState *s, int32_t *seats) {
  (void)s, (void)seats;
  return 0;
}

int32_t rs_point(RsState *s, int32_t seat) { return seat == RS_FIRST || seat == rs_player(s) ? s->at : RS_ILLEGAL; }

int32_t rs_legal(RsState *s, int32_t seat, int32_t *actions, int32_t room) {
  int32_t who = rs_player(s);
  if (who == RS_TERMINAL || (seat != RS_FIRST && seat != who))
    return RS_ILLEGAL;
  int32_t count = who == RS_CHANCE ? 3 : s->place[s->runner] < FAST ? 2 : 1;
  if (count > room)
    return RS_ROOM;
  for (int32_t k = 0; k < count; k++)
    actions[k] = k;
  return count;
}

int32_t rs_asked(RsState *s, int32_t *player, uint64_t *mask, int32_t *actions, int32_t room) {
  *player = rs_player(s);
  mask[0] = mask[1] = 0;
  return *player == RS_TERMINAL ? 0 : rs_legal(s, RS_FIRST, actions, room);
}

int32_t rs_apply(const RsState *from, RsState *to, int32_t seat, int32_t action) {
  *to = *from;
  int32_t who = rs_player(to);
  if (who == RS_TERMINAL || (seat != RS_FIRST && seat != who) || action < 0 || action > 2)
    return RS_ILLEGAL;
  if (who == RS_CHANCE)
    return go(to, action + 1);
  if (to->place[to->runner] == HAND_OVER)
    return RS_HANDOVER;
  to->pace = action + 1;
  if (to->seeded)
    return go(to, (int32_t)below(to->seed, &to->counter, 3) + 1);
  to->at = ROLL;
  return 0;
}

int32_t rs_returns(const RsState *s, int64_t *returns) {
  for (int k = 0; k < 2; k++)
    returns[k] = s->at != OVER ? 0 : s->winner == k ? 1 : -1;
  return s->at == OVER;
}

int32_t rs_endless(RsState *s, int64_t decisions) {
  (void)s, (void)decisions;
  return 1;
}

int64_t rs_play_on(RsState *s, uint64_t seed, int64_t decisions, int64_t most) {
  uint64_t choices = mix(seed ^ 0x9E3779B97F4A7C15u), counter = 0;
  int32_t actions[3];
  if (!s->seeded)
    return RS_HANDOVER;
  for (int64_t count = decisions;; count++) {
    if (s->at == OVER)
      return count;
    int32_t n = rs_legal(s, RS_FIRST, actions, 3);
    RsState next;
    if (count >= most || rs_apply(s, &next, RS_FIRST, n > 1 ? (int32_t)below(choices, &counter, 2) : 0))
      return RS_HANDOVER;
    *s = next;
  }
}

int64_t rs_playout(RsState *s, uint64_t seed, int64_t most) {
  rs_new(s, seed, 1);
  return rs_play_on(s, seed, 0, most);
}

int64_t rs_playouts(RsState *work, uint64_t first, int64_t games, int64_t most, int64_t *answers, int64_t *returns) {
  int64_t total = 0;
  for (int64_t k = 0; k < games; k++) {
    int64_t count = rs_playout(work, first + (uint64_t)k, most);
    if (answers)
      answers[k] = count;
    if (returns)
      rs_returns(work, returns + 2 * k);
    total += count < 0 ? 0 : count;
  }
  return total;
}

int64_t rs_export(RsState *s, int64_t *numbers, int64_t room) {
  const int64_t all[9] = {s->at,     s->pace,          s->runner, s->place[0], s->place[1], s->winner,
                          s->seeded, (int64_t)s->seed, (int64_t)s->counter};
  if (room < 9)
    return RS_ROOM;
  memcpy(numbers, all, sizeof all);
  return 9;
}

int32_t rs_why(void) { return RS_RULES; }

int32_t rs_import(RsState *s, const int64_t *n, int64_t count) {
  if (count != 9 || n[0] < ASK || n[0] > OVER || n[1] < 0 || n[1] > 2 || n[2] < 0 || n[2] > 1 || n[3] < 0 || n[3] > 20 ||
      n[4] < 0 || n[4] > 20 || n[5] < -1 || n[5] > 1 || n[3] == LOOSE || n[4] == LOOSE)
    return RS_HANDOVER;
  memset(s, 0, sizeof *s);
  s->at = (int32_t)n[0], s->pace = (int32_t)n[1], s->runner = (int32_t)n[2];
  s->place[0] = n[3], s->place[1] = n[4], s->winner = (int32_t)n[5];
  s->seeded = (int32_t)n[6], s->seed = (uint64_t)n[7], s->counter = (uint64_t)n[8];
  return 0;
}

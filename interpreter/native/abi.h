/* What the shared object of a game offers: the interface between the C that `interpreter/native` writes for one program
 * and whoever loads it.  Version RS_ABI; a loader must refuse an object whose `rs_abi()` is another number.
 *
 * POSITIONS.  A position is a block of `rs_size()` bytes, aligned to 16, which the caller allocates, owns and frees.  Its first
 * `rs_used(s)` bytes are the whole position: copying them (memcpy, to another aligned block of rs_size() bytes) clones it, `rs_copy` does so
 * without what long lists have no items in, and keeping what `rs_pack` makes of them is all that undo needs.  The bytes behind are scratch that every call may write, calls that only look too, so
 * that one block is for one thread at a time; different blocks may be used by different threads at once.  There is no other
 * state but what `rs_why` tells: `rs_open` fills constants once, and nothing is allocated, ever.  A block is undefined until `rs_new` or `rs_import`
 * has returned 0 for it.
 *
 * SEATS AND ACTIONS are those of `interpreter.Position`: seats from 0, RS_CHANCE, RS_TERMINAL; actions as `legal_actions` gives
 * them; an action of chance is the number of a distinct outcome.  Where a `seat` is an argument, RS_FIRST means who is asked first
 * (the lowest seat of sealed choices, chance, or the only one asked).
 *
 * RETURN CODES are 0 or more where all is well, otherwise
 *   RS_HANDOVER  the C cannot tell: a fault of the rules, a bound of the C, or something that it has no code for.  Do the same
 *                with the reference machine, from the untouched position (`rs_export`); it tells the fault or goes on.
 *   RS_ILLEGAL   nobody is asked that, or the number is no action of the question.
 *   RS_ROOM      the answer does not fit into `room` items.
 * Nothing that was passed as const has changed, whatever is returned; `to` of `rs_apply` is then undefined.
 *
 * VALUES travel as int64_t: numbers, members of kinds and yes or no as themselves, nothing (None) as RS_NONE; how slots, frames and
 * collections are laid out in `rs_export` is known to `interpreter/native/exchange.py`, which both writes and reads it.
 */
#ifndef RS_ABI_H
#define RS_ABI_H
#include <stdint.h>

#define RS_ABI 7
#define RS_NONE INT64_MIN
enum { RS_CHANCE = -1, RS_TERMINAL = -4, RS_HANDOVER = -9, RS_ILLEGAL = -10, RS_ROOM = -11, RS_FIRST = -100 };

/* Why an answer was handed over: a fault of the rules, or what the rules would not come to; a bound of the C; or no code. */
enum { RS_RULES, RS_WORK, RS_DEPTH, RS_WAITING, RS_FULL, RS_OUTCOMES, RS_ACTIONS, RS_LASTINGS, RS_LACKING, RS_UNFIT };

#define RS_PUBLIC __attribute__((visibility("default")))
typedef struct RsState RsState;

/* RS_ABI of this object. */
RS_PUBLIC int32_t rs_abi(void);

/* To be called once after loading, before anything else and by one thread: works out the opening.  0 or RS_HANDOVER (the game
 * cannot even begin here; then nothing else may be called). */
RS_PUBLIC int32_t rs_open(void);

/* Bytes of a block; seats; the most actions or outcomes that a question or a draw ever has here (a larger one is RS_HANDOVER);
 * the most numbers that `rs_export` ever writes. */
RS_PUBLIC int64_t rs_size(void);
RS_PUBLIC int32_t rs_players(void);
RS_PUBLIC int32_t rs_most_actions(void);
RS_PUBLIC int64_t rs_most_numbers(void);

/* Bytes of the position in a block: at most rs_size(). */
RS_PUBLIC int64_t rs_used(const RsState *s);

/* `to` becomes an equal position; they must not overlap. */
RS_PUBLIC void rs_copy(const RsState *from, RsState *to);

/* The position in as few bytes as it has: without scratch and without the items that lists have room for and no more.  Written to `to`, at any
 * address, unless that is a null pointer; how many bytes it takes. */
RS_PUBLIC int64_t rs_pack(const RsState *s, void *to);

/* `to` becomes the position that `rs_pack` wrote. */
RS_PUBLIC void rs_unpack(const void *from, RsState *to);

/* A game at its first question.  With `seeded`, chance answers inline from `seed`; otherwise it is a player. */
RS_PUBLIC int32_t rs_new(RsState *s, uint64_t seed, int32_t seeded);

/* Who is asked first: a seat, RS_CHANCE or RS_TERMINAL; or RS_HANDOVER. */
RS_PUBLIC int32_t rs_player(RsState *s);

/* The seats that may answer now, ascending, into `seats` (room for rs_players()); how many.  0 where chance is asked or all is over. */
RS_PUBLIC int32_t rs_pending(RsState *s, int32_t *seats);

/* The seats that take part in sealed choices, those that have answered included, ascending; how many, 0 where there are none. */
RS_PUBLIC int32_t rs_sealed(RsState *s, int32_t *seats);

/* The point of the program at which a seat, or chance, is asked: `ir.Program.sites` names its question.  RS_ILLEGAL where it is not asked. */
RS_PUBLIC int32_t rs_point(RsState *s, int32_t seat);

/* What a seat may answer, ascending; how many.  Never 0 where it is asked: a question that nobody can answer is RS_HANDOVER.
 * Of chance 0, 1, ... for each outcome.  RS_ILLEGAL where the seat is not asked. */
RS_PUBLIC int32_t rs_legal(RsState *s, int32_t seat, int32_t *actions, int32_t room);

/* Who is asked first, as `rs_player` tells, and how many actions are legal: as the two words of `mask` where all are below 128, otherwise
 * these are 0 and they are in `actions`, as `rs_legal` gives them.  0 where all is over. */
RS_PUBLIC int32_t rs_asked(RsState *s, int32_t *player, uint64_t *mask, int32_t *actions, int32_t room);

/* `to` becomes the position after an answer of `from`, which stays as it is; they must not overlap.  0, or RS_ILLEGAL, or RS_HANDOVER.
 * An action that `rs_legal` does not give is the caller's mistake: it never reads or writes out of bounds, but it may be accepted. */
RS_PUBLIC int32_t rs_apply(const RsState *from, RsState *to, int32_t seat, int32_t action);

/* Returns are counted in parts of which so many make 1. */
RS_PUBLIC int64_t rs_unit(void);
/* The returns in such parts, rs_players() numbers, all 0 while the game runs.  1 if it is over, otherwise 0. */
RS_PUBLIC int32_t rs_returns(const RsState *s, int64_t *returns);

/* Whether the position may come back without a choice (`interpreter/runtime/endless.py`): 0 surely not, 1 it has to be looked at
 * there.  To be asked before an answer that is the only one, every 64 decisions. */
RS_PUBLIC int32_t rs_endless(RsState *s, int64_t decisions);

/* A whole game by uniformly random choices, those of `Game.playout(seed)`: `s` becomes its end.  The number of answers, or
 * RS_HANDOVER (more than `most` answers included). */
RS_PUBLIC int64_t rs_playout(RsState *s, uint64_t seed, int64_t most);

/* Plays a position on to its end by uniformly random choices, those of `State.playout(seed)`; it has had `decisions` answers.  How many
 * it has had at the end, or RS_HANDOVER, where chance is a player too; the position is then lost. */
RS_PUBLIC int64_t rs_play_on(RsState *s, uint64_t seed, int64_t decisions, int64_t most);

/* The games of the seeds first, first + 1, ...: of each its number of answers (or RS_HANDOVER) into `answers` and its returns into
 * `returns` (games * rs_players() numbers); either may be a null pointer.  All answers together, handed over ones not counted. */
RS_PUBLIC int64_t rs_playouts(RsState *work, uint64_t first, int64_t games, int64_t most, int64_t *answers, int64_t *returns);

/* Why this thread's last call that returned RS_HANDOVER did so. */
RS_PUBLIC int32_t rs_why(void);

/* The position as numbers; how many. */
RS_PUBLIC int64_t rs_export(RsState *s, int64_t *numbers, int64_t room);

/* The position that `rs_export` wrote, or any other that `exchange.encode` made of slots: every number is checked before it becomes
 * memory.  0, or RS_HANDOVER where the numbers do not fit. */
RS_PUBLIC int32_t rs_import(RsState *s, const int64_t *numbers, int64_t count);

#endif

/* A program: the functions of its shared object, and the blocks of memory that it keeps for positions. */
#ifndef RULESPEC_BLOCK_H
#define RULESPEC_BLOCK_H
#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"

#define SPARE 64        /* blocks that a program keeps for the next position, and positions */
#define FEW_ANSWERS 16  /* of a game that is played without giving up Python's lock */
#define KEPT_LENGTHS 512 /* lists of fewer legal actions are used again */
#define NUMBERS 1024     /* actions whose numbers Python has all the time */
#define BETWEEN 32       /* bytes from one of its small numbers to the next */

/* Lists of one length that were given away; two, as who asks for one mostly has the last one still. */
typedef struct {
  PyObject *lists[2];
  int32_t next; /* the older one */
} KeptLists;

#define GROUP 8 /* items of a list that are written at once */
#define ROOM(count) ((count) + GROUP - 1)

/* A list of the actions of a set, as it was given away; there are two of them, for the same reason. */
typedef struct {
  PyObject *list;
  uint64_t mask[2];
  int32_t count, room; /* its items, and for how many it has memory */
  bool aside;          /* whether a reference to each number below 128 that is not in it is counted, too */
  PyObject *items[ROOM(128)];
} KeptSet;

struct Core;

typedef struct {
  PyObject_HEAD
  void *handle;
  int64_t size;
  int64_t most_decisions; /* of a game, as the setup says */
  int64_t most_numbers;
  int64_t unit; /* returns are counted in parts of which so many make 1 */
  int64_t length; /* eight times the answers of a game by random choices, as of late */
  int32_t players;
  int32_t most_actions;
  int32_t *actions; /* room for the actions of one question; only while the GIL is held */
  int32_t *seats;
  RsState *spare[SPARE];
  int spares;
  struct Core *old[SPARE]; /* positions that nobody has any more, with their blocks, all of one type */
  PyTypeObject *old_type;
  int olds;
  struct Core *fresh; /* the last copy, where nothing was done with it since */
  KeptLists kept[KEPT_LENGTHS];
  KeptSet sets[2];
  int32_t next_set;
  PyObject *numbers[NUMBERS];
  PyObject **others; /* the numbers of actions from there on, each made when it is first wanted; NULL where there are none */
  __typeof__(&rs_copy) copy;
  __typeof__(&rs_pack) pack;
  __typeof__(&rs_unpack) unpack;
  __typeof__(&rs_asked) asked;
  __typeof__(&rs_new) begin;
  __typeof__(&rs_player) player;
  __typeof__(&rs_pending) pending;
  __typeof__(&rs_sealed) sealed;
  __typeof__(&rs_point) point;
  __typeof__(&rs_legal) legal;
  __typeof__(&rs_apply) apply;
  __typeof__(&rs_returns) returns;
  __typeof__(&rs_endless) endless;
  __typeof__(&rs_playout) playout;
  __typeof__(&rs_play_on) play_on;
  __typeof__(&rs_playouts) playouts;
  __typeof__(&rs_export) export;
  __typeof__(&rs_import) import;
  __typeof__(&rs_why) why;
} Program;

void *own_lines(size_t bytes);
RsState *more_block(Program *p);

static inline RsState *new_block(Program *p) { return p->spares ? p->spare[--p->spares] : more_block(p); }

static inline void free_block(Program *p, RsState *block) {
  if (block && p->spares < SPARE)
    p->spare[p->spares++] = block;
  else
    free(block);
}

bool answerable(Program *p, RsState *s);
int import_numbers(Program *p, RsState *s, PyObject *numbers);

#endif

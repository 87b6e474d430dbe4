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
#define KNOWN_LISTS 2048 /* sets of legal actions whose lists a program keeps; a power of two */

/* A set of actions below 64, and a list of them; NULL until the set comes a second time. */
typedef struct {
  uint64_t mask;
  PyObject *list;
} KnownList;

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
  KnownList known[KNOWN_LISTS];
  PyObject *numbers[128];
  uint64_t last_mask[2]; /* the last set of which a list was wanted, and that list if it is kept, which nobody else has */
  PyObject *last_set;
  int32_t *last_actions, lasts; /* the same of actions that are no set */
  PyObject *last_list;
  __typeof__(&rs_used) used;
  __typeof__(&rs_copy) copy;
  __typeof__(&rs_asked) asked;
  __typeof__(&rs_new) begin;
  __typeof__(&rs_player) player;
  __typeof__(&rs_pending) pending;
  __typeof__(&rs_sealed) sealed;
  __typeof__(&rs_legal) legal;
  __typeof__(&rs_apply) apply;
  __typeof__(&rs_returns) returns;
  __typeof__(&rs_endless) endless;
  __typeof__(&rs_playout) playout;
  __typeof__(&rs_play_on) play_on;
  __typeof__(&rs_playouts) playouts;
  __typeof__(&rs_export) export;
  __typeof__(&rs_import) import;
} Program;

RsState *new_block(Program *p);
void free_block(Program *p, RsState *block);
bool answerable(Program *p, RsState *s);
int import_numbers(Program *p, RsState *s, PyObject *numbers);

#endif

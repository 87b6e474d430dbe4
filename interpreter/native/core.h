/* What the files of the extension module share: see `module.c`. */
#ifndef RULESPEC_CORE_H
#define RULESPEC_CORE_H
#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"

#define SPARE 64          /* blocks that a program keeps for the next position */
#define UNKNOWN INT32_MIN /* who is asked: not worked out yet */

typedef struct {
  PyObject_HEAD
  void *handle;
  int64_t size;
  int64_t most_decisions; /* of a game, as the setup says */
  int64_t most_numbers;
  int32_t players;
  int32_t most_actions;
  int32_t *actions; /* room for the actions of one question; only while the GIL is held */
  int32_t *seats;
  RsState *spare[SPARE];
  int spares;
  __typeof__(&rs_used) used;
  __typeof__(&rs_new) begin;
  __typeof__(&rs_player) player;
  __typeof__(&rs_pending) pending;
  __typeof__(&rs_sealed) sealed;
  __typeof__(&rs_legal) legal;
  __typeof__(&rs_apply) apply;
  __typeof__(&rs_returns) returns;
  __typeof__(&rs_endless) endless;
  __typeof__(&rs_playout) playout;
  __typeof__(&rs_playouts) playouts;
  __typeof__(&rs_export) export;
  __typeof__(&rs_import) import;
} Program;

/* An answer that was given, shared by all positions that came after it; newest first. */
typedef struct Answer {
  int64_t references;
  struct Answer *before;
  void *position; /* the bytes of the position before, where it can be taken back */
  int64_t bytes;
  int64_t decisions;
  int32_t seat, action;
} Answer;

typedef struct {
  PyObject_HEAD
  Program *program;
  PyObject *setup;    /* the game, as Python has it */
  PyObject *origin;   /* where the answers begin: a seed, None for chance as a player, or a position kept as slots */
  RsState *state;     /* NULL while a position kept as slots stands in, because C cannot tell what comes of it */
  Answer *answers;
  PyObject *stand_in; /* an equal position kept as slots, as it was at the answer `stood`; NULL if there is none yet */
  Answer *stood;
  int64_t decisions;
  int32_t *actions;   /* the legal actions of who is asked first, if `count` is not negative */
  int32_t room, count, player;
  bool keeps, records;
} Core;

/* block.c */
RsState *new_block(Program *p);
void free_block(Program *p, RsState *block);
bool answerable(Program *p, RsState *s);
int import_numbers(Program *p, RsState *s, PyObject *numbers);

/* program.c */
extern PyType_Spec program_spec;

/* core.c */
Core *bare_core(PyTypeObject *type, Program *p, PyObject *setup, PyObject *origin, bool keeps, bool records);
extern PyObject *word_python, *word_answer, *word_undone;
extern PyType_Spec core_spec;

/* games.c */
extern PyType_Spec games_spec;

#endif

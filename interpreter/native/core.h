/* What the files of the extension module share: see `module.c`. */
#ifndef RULESPEC_CORE_H
#define RULESPEC_CORE_H
#include "kept.h"

#define UNKNOWN INT32_MIN /* who is asked: not worked out yet */

/* program.c */
bool begin_core(Core *c, uint64_t seed, bool seeded);
bool play_core(Core *c, uint64_t seed);
extern PyType_Spec program_spec;

/* core.c */
void free_old(Program *p);
PyObject *adopt_methods(PyObject *type, PyMethodDef *methods);
PyObject *adopt_position(PyObject *module, PyObject *type);
Core *bare_core(PyTypeObject *type, Program *p, PyObject *setup, PyObject *origin, bool keeps, bool records);
extern PyObject *word_python, *word_answer, *word_undone;
extern PyType_Spec core_spec;

/* opening.c */
bool fill_opening(void);
PyObject *adopt_game(PyObject *module, PyObject *type);
extern PyType_Spec opening_spec;

/* games.c */
extern PyType_Spec games_spec;

#endif

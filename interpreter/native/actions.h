/* Lists of legal actions, which a program keeps. */
#ifndef RULESPEC_ACTIONS_H
#define RULESPEC_ACTIONS_H
#include "block.h"

bool look_at_lists(void);
bool fill_lists(Program *p);
void free_lists(Program *p);
PyObject *list_of(Program *p, const int32_t *actions, int32_t count);
PyObject *list_of_mask(Program *p, const uint64_t *mask, int32_t count);

#endif

/* What is kept of positions: see `kept.c`. */
#ifndef RULESPEC_KEPT_H
#define RULESPEC_KEPT_H
#include "core.h"

static inline Answer *keep_answer(Answer *a) {
  if (a)
    a->references++;
  return a;
}

void drop_answer(Answer *a);
bool add_answer(Core *c, int32_t seat, int32_t action);
void put_away(Core *c);

#endif

"""The native back end: a program written as C, compiled, and loaded as a shared object.  `abi.h` is what such an object offers."""

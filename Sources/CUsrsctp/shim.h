#pragma once
#define INET 1
#define INET6 1
#include <usrsctp.h>

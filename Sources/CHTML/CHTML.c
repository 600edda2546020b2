#include "CHTML.h"

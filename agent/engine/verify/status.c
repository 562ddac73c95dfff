#include "status.h"

enum word status_word(enum status s)
{
	static const enum word words[STATUS_COUNT] = {
		[STATUS_OK] = WORD_IN_SYNC,
		[STATUS_SKIPPED] = WORD_SKIPPED,
		[STATUS_ADVICE] = WORD_ADVICE,
		[STATUS_WARNING] = WORD_WARNING,
		[STATUS_UNSUPPORTED] = WORD_UNSUPPORTED,
		[STATUS_UNKNOWN] = WORD_UNKNOWN,
		[STATUS_SYMPTOM] = WORD_SYMPTOM,
		[STATUS_DRIFT] = WORD_DRIFT,
	};

	return words[s];
}

enum word verdict_word(enum status worst)
{
	if (worst <= STATUS_WARNING)
		return WORD_IN_SYNC;
	return worst == STATUS_UNSUPPORTED ? WORD_UNKNOWN : status_word(worst);
}

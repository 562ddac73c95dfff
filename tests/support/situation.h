/* A port and a switch that agree, and differences that they may have. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_SITUATION_H
#define LOSSLESSCTL_TESTS_SUPPORT_SITUATION_H

#include "dcb/lldp/peer_compare.h"

struct situation {
	struct config desired, actual;
	struct peer_info seen;
};

/* Each adds the difference that its name describes. */
void carrier_lost(struct situation *s);
void interface_hidden(struct situation *s);
void denied(struct situation *s);
void nothing_heard(struct situation *s);
void not_asked(struct situation *s);
void nothing_heard_in_35_s(struct situation *s);
void garbage(struct situation *s);
void expired(struct situation *s);
void a_third(struct situation *s);
void bad_pfc(struct situation *s);
void cee(struct situation *s);
void no_pfc(struct situation *s);
void no_app(struct situation *s);
void no_app_entries(struct situation *s);
void port_without_pfc(struct situation *s);
void advertised_otherwise(struct situation *s);
void advertised_otherwise_but_not_spoken(struct situation *s);
void both_willing(struct situation *s);
void willing_and_silent(struct situation *s);
void willing_alone(struct situation *s);
void cee_too(struct situation *s);
void switch_willing(struct situation *s);
void small_switch(struct situation *s);
void cap_untold(struct situation *s);
void other_mask(struct situation *s);
void other_share(struct situation *s);
void other_share_of_what_is_not_known(struct situation *s);
void willing_and_recommended_otherwise(struct situation *s);
void dscp_elsewhere(struct situation *s);
void udp_elsewhere(struct situation *s);
void tcp_elsewhere(struct situation *s);
void dscp_unknown_here(struct situation *s);
void something_else_wanted(struct situation *s);
void wanted_shares(struct situation *s);
void kernel_lags(struct situation *s);
void kernel_lags_behind_the_policy(struct situation *s);
void bad_recommendation(struct situation *s);
void lldpad_hangs(struct situation *s);
void lldpad_hangs_and_the_mask_differs(struct situation *s);
void willing_without_a_recommendation(struct situation *s);
void dscp_that_there_is_not(struct situation *s);
void dscp_not_known_here(struct situation *s);
void udp_not_known_here(struct situation *s);
void another_udp_port(struct situation *s);
void says_no_more_than_app(struct situation *s);
void cin(struct situation *s);
void all_well(struct situation *s);
void leaves(struct situation *s);
void a_named_third(struct situation *s);

/* A port and a switch that agree. */
struct situation usual(void);

#endif

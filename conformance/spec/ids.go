package spec

// The server's requirements. An ID is stable: it is never given to another
// requirement, and new ones go to the end of their topic.
const (
	// Framing.
	S_FRM_01 ID = "S-FRM-01"
	S_FRM_02 ID = "S-FRM-02"
	S_FRM_03 ID = "S-FRM-03"
	S_FRM_04 ID = "S-FRM-04"
	S_FRM_05 ID = "S-FRM-05"
	S_FRM_06 ID = "S-FRM-06"

	// ACQUIRE and errors.
	S_ACQ_01 ID = "S-ACQ-01"
	S_ACQ_02 ID = "S-ACQ-02"
	S_ACQ_03 ID = "S-ACQ-03"
	S_ACQ_04 ID = "S-ACQ-04"
	S_ACQ_05 ID = "S-ACQ-05"
	S_ACQ_06 ID = "S-ACQ-06"
	S_ACQ_07 ID = "S-ACQ-07"
	S_ACQ_08 ID = "S-ACQ-08"
	S_ACQ_09 ID = "S-ACQ-09"
	S_ACQ_10 ID = "S-ACQ-10"
	S_ACQ_11 ID = "S-ACQ-11"
	S_ACQ_12 ID = "S-ACQ-12"
	S_ACQ_13 ID = "S-ACQ-13"
	S_ACQ_14 ID = "S-ACQ-14"
	S_ACQ_15 ID = "S-ACQ-15"
	S_ACQ_16 ID = "S-ACQ-16"
	S_ACQ_17 ID = "S-ACQ-17"
	S_ACQ_18 ID = "S-ACQ-18"
	S_ACQ_19 ID = "S-ACQ-19"
	S_ACQ_20 ID = "S-ACQ-20"
	S_ACQ_21 ID = "S-ACQ-21"
	S_ACQ_22 ID = "S-ACQ-22"
	S_ACQ_23 ID = "S-ACQ-23"
	S_ACQ_24 ID = "S-ACQ-24"

	// Heartbeats and leases.
	S_HB_01 ID = "S-HB-01"
	S_HB_02 ID = "S-HB-02"
	S_HB_03 ID = "S-HB-03"
	S_HB_04 ID = "S-HB-04"
	S_HB_05 ID = "S-HB-05"
	S_HB_06 ID = "S-HB-06"
	S_HB_07 ID = "S-HB-07"
	S_HB_08 ID = "S-HB-08"
	S_HB_09 ID = "S-HB-09"
	S_HB_10 ID = "S-HB-10"
	S_HB_11 ID = "S-HB-11"
	S_HB_12 ID = "S-HB-12"
	S_HB_13 ID = "S-HB-13"
	S_HB_14 ID = "S-HB-14"
	S_HB_15 ID = "S-HB-15"
	S_HB_16 ID = "S-HB-16"
	S_HB_17 ID = "S-HB-17"
	S_HB_18 ID = "S-HB-18"

	// Queue and promotion.
	S_Q_01 ID = "S-Q-01"
	S_Q_02 ID = "S-Q-02"
	S_Q_03 ID = "S-Q-03"
	S_Q_04 ID = "S-Q-04"
	S_Q_05 ID = "S-Q-05"
	S_Q_06 ID = "S-Q-06"
	S_Q_07 ID = "S-Q-07"
	S_Q_08 ID = "S-Q-08"
	S_Q_09 ID = "S-Q-09"
	S_Q_10 ID = "S-Q-10"
	S_Q_11 ID = "S-Q-11"
	S_Q_12 ID = "S-Q-12"
	S_Q_13 ID = "S-Q-13"
	S_Q_14 ID = "S-Q-14"

	// Fencing tokens.
	S_TOK_01 ID = "S-TOK-01"
	S_TOK_02 ID = "S-TOK-02"
	S_TOK_03 ID = "S-TOK-03"
	S_TOK_04 ID = "S-TOK-04"
	S_TOK_05 ID = "S-TOK-05"

	// Robustness and capacity.
	S_ROB_01 ID = "S-ROB-01"
	S_ROB_02 ID = "S-ROB-02"
	S_ROB_03 ID = "S-ROB-03"
	S_ROB_04 ID = "S-ROB-04"
	S_ROB_05 ID = "S-ROB-05"
	S_ROB_06 ID = "S-ROB-06"
	S_ROB_07 ID = "S-ROB-07"
	S_ROB_08 ID = "S-ROB-08"

	// Shutdown.
	S_SHUT_01 ID = "S-SHUT-01"
	S_SHUT_02 ID = "S-SHUT-02"
	S_SHUT_03 ID = "S-SHUT-03"

	// Admin API.
	S_ADM_01 ID = "S-ADM-01"
	S_ADM_02 ID = "S-ADM-02"
	S_ADM_03 ID = "S-ADM-03"
	S_ADM_04 ID = "S-ADM-04"
	S_ADM_05 ID = "S-ADM-05"
	S_ADM_06 ID = "S-ADM-06"
	S_ADM_07 ID = "S-ADM-07"
	S_ADM_08 ID = "S-ADM-08"

	// TLS.
	S_TLS_01 ID = "S-TLS-01"
	S_TLS_02 ID = "S-TLS-02"
	S_TLS_03 ID = "S-TLS-03"
	S_TLS_04 ID = "S-TLS-04"
	S_TLS_05 ID = "S-TLS-05"
	S_TLS_06 ID = "S-TLS-06"

	// Identity.
	S_ID_01 ID = "S-ID-01"

	// Access control.
	S_ACL_01 ID = "S-ACL-01"
	S_ACL_02 ID = "S-ACL-02"
	S_ACL_03 ID = "S-ACL-03"
	S_ACL_04 ID = "S-ACL-04"
	S_ACL_05 ID = "S-ACL-05"

	// Operations.
	S_OPS_01 ID = "S-OPS-01"
	S_OPS_02 ID = "S-OPS-02"
	S_OPS_03 ID = "S-OPS-03"

	// Audit log.
	S_AUD_01 ID = "S-AUD-01"
	S_AUD_02 ID = "S-AUD-02"
	S_AUD_03 ID = "S-AUD-03"
	S_AUD_04 ID = "S-AUD-04"

	// Configuration.
	S_CFG_01 ID = "S-CFG-01"
	S_CFG_02 ID = "S-CFG-02"
)

// The client's requirements, under the same rule.
const (
	// Connecting and asking.
	C_ACQ_01 ID = "C-ACQ-01"
	C_ACQ_02 ID = "C-ACQ-02"
	C_ACQ_03 ID = "C-ACQ-03"
	C_ACQ_04 ID = "C-ACQ-04"
	C_ACQ_05 ID = "C-ACQ-05"
	C_ACQ_06 ID = "C-ACQ-06"
	C_ACQ_07 ID = "C-ACQ-07"

	// Reading.
	C_RD_01 ID = "C-RD-01"
	C_RD_02 ID = "C-RD-02"
	C_RD_03 ID = "C-RD-03"
	C_RD_04 ID = "C-RD-04"
	C_RD_05 ID = "C-RD-05"
	C_RD_06 ID = "C-RD-06"

	// Heartbeats.
	C_HB_01 ID = "C-HB-01"
	C_HB_02 ID = "C-HB-02"
	C_HB_03 ID = "C-HB-03"
	C_HB_04 ID = "C-HB-04"
	C_HB_05 ID = "C-HB-05"
	C_HB_06 ID = "C-HB-06"
	C_HB_07 ID = "C-HB-07"
	C_HB_08 ID = "C-HB-08"
	C_HB_09 ID = "C-HB-09"
	C_HB_10 ID = "C-HB-10"

	// Self-revocation.
	C_TO_01 ID = "C-TO-01"
	C_TO_02 ID = "C-TO-02"
	C_TO_03 ID = "C-TO-03"
	C_TO_04 ID = "C-TO-04"
	C_TO_05 ID = "C-TO-05"
	C_TO_06 ID = "C-TO-06"
	C_TO_07 ID = "C-TO-07"
	C_TO_08 ID = "C-TO-08"
	C_TO_09 ID = "C-TO-09"
	C_TO_10 ID = "C-TO-10"

	// Errors.
	C_ERR_01 ID = "C-ERR-01"
	C_ERR_02 ID = "C-ERR-02"
	C_ERR_03 ID = "C-ERR-03"
	C_ERR_04 ID = "C-ERR-04"
	C_ERR_05 ID = "C-ERR-05"
	C_ERR_06 ID = "C-ERR-06"
	C_ERR_07 ID = "C-ERR-07"
	C_ERR_08 ID = "C-ERR-08"
	C_ERR_09 ID = "C-ERR-09"

	// Doubt.
	C_DBT_01 ID = "C-DBT-01"
	C_DBT_02 ID = "C-DBT-02"
	C_DBT_03 ID = "C-DBT-03"
	C_DBT_04 ID = "C-DBT-04"
	C_DBT_05 ID = "C-DBT-05"
	C_DBT_06 ID = "C-DBT-06"

	// Release.
	C_REL_01 ID = "C-REL-01"
	C_REL_02 ID = "C-REL-02"
	C_REL_03 ID = "C-REL-03"
	C_REL_04 ID = "C-REL-04"
	C_REL_05 ID = "C-REL-05"

	// Loss.
	C_LOSS_01 ID = "C-LOSS-01"
	C_LOSS_02 ID = "C-LOSS-02"
	C_LOSS_03 ID = "C-LOSS-03"

	// Fencing token.
	C_TOK_01 ID = "C-TOK-01"

	// Cancellation.
	C_CAN_01 ID = "C-CAN-01"
	C_CAN_02 ID = "C-CAN-02"

	// Mutual exclusion.
	C_EXC_01 ID = "C-EXC-01"

	// TLS.
	C_TLS_01 ID = "C-TLS-01"
	C_TLS_02 ID = "C-TLS-02"
)

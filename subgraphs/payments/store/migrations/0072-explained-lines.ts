/** What people have explained of a difference: few lines among all of the deployment's own, which gas adds to with each transaction. */
export const findExplainedLines = [
  `create index ledger_line_explained on payments.ledger_line (tenant_id, payment_id)
      where entry like 'explained:%'`,
]

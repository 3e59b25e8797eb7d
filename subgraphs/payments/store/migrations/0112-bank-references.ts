import { buildIndex } from '../../../../kernel/migrate.js'

/** A transfer of a bank is booked once for a tenant, whatever it pays: it is looked for among the few lines of banks. */
export const findBankReferences = buildIndex(
  'payments',
  'ledger_line_bank',
  `on payments.ledger_line (tenant_id, entry) where account = 'bank'`,
)

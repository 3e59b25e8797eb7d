import 'reflect-metadata'
import { runInProcess, type CliOutput } from '../kernel/command-line.js'
import { auditCli } from '../subgraphs/accounts/cli/audit-cli.js'
import { tenantCli } from '../subgraphs/accounts/cli/tenant-cli.js'
import { kycCli } from '../subgraphs/kyc/cli/kyc-cli.js'
import { ledgerCli } from '../subgraphs/payments/cli/ledger-cli.js'

/** The command lines of a deployment, by the first word. Each has its own `npm run` too. */
const PARTS: Readonly<Record<string, (args: readonly string[], output: CliOutput) => Promise<number>>> = {
  tenant: tenantCli,
  ledger: ledgerCli,
  kyc: kycCli,
  audit: auditCli,
}

const USAGE = `Usage: npm run admin -- <part> <command>

  tenant   tenants, their products, keys and integrations
  ledger   books, payouts, alerts, refunds, prices
  kyc      verified persons: what is kept of one, erase, seal again
  audit    what was done, by whom and from where, as lines of JSON or CSV

npm run admin -- <part> --help lists the commands of a part.`

/** `npm run admin -- …`: hands the rest of the words to a part. Exit code 2 where there is no such part. */
async function adminCli([part = '', ...rest]: readonly string[], output: CliOutput): Promise<number> {
  const cli = PARTS[part]
  if (cli) return cli(rest, output)
  const isHelp = part === '--help' || part === '-h'
  if (isHelp) output.out(USAGE)
  else output.err(`There is no part "${part}".\n\n${USAGE}`)
  return isHelp ? 0 : 2
}

await runInProcess(adminCli)

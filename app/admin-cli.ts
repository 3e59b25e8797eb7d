import { EnvError } from '../kernel/env.js'
import { optionIn, type CliOutput } from '../kernel/command-line.js'
import { NotAvailableError } from '../kernel/sandbox-file.js'
import { auditCli } from '../subgraphs/accounts/cli/audit-cli.js'
import { openAccounts } from '../subgraphs/accounts/cli/open-accounts.js'
import { tenantCli } from '../subgraphs/accounts/cli/tenant-cli.js'
import { supergraphCli } from './supergraph-cli.js'
import { loadAccountsEnv } from '../subgraphs/accounts/env.js'
import { kycCli } from '../subgraphs/kyc/cli/kyc-cli.js'
import { ledgerCli } from '../subgraphs/payments/cli/ledger-cli.js'

/** The command lines of a deployment, by the first word. Each has its own `npm run` too. */
const PARTS: Readonly<Record<string, typeof tenantCli>> = {
  tenant: tenantCli,
  ledger: (args, output) => ledgerCli(args, output),
  kyc: kycCli,
  audit: auditCli,
  supergraph: supergraphCli,
}

const USAGE = `Usage: npm run admin -- <part> <command>

  tenant      tenants, their products, keys and integrations
  ledger      books, payouts, alerts, refunds, prices
  kyc         verified persons: what is kept of one, erase, seal again
  audit       what was done, by whom and from where, as lines of JSON or CSV
  supergraph  the composed schema with this deployment's addresses, for a router

npm run admin -- <part> --help lists the commands of a part.`

/**
 * `npm run admin -- …`: hands the rest of the words to a part. Only accounts know tenants, so a tenant that there is none of
 * is refused here for all parts: a limit or a pause of a mistyped id would hold nobody back, and say that it does.
 * @returns the part's exit code; 1 where there is no such tenant, 2 where there is no such part
 */
export async function adminCli(
  [part = '', ...rest]: readonly string[],
  output: CliOutput,
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  const cli = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined
  if (cli) {
    if (await isKnown(tenantIn(rest), environment)) return cli(rest, output, environment)
    output.err('No such tenant.')
    return 1
  }
  const isHelp = part === '--help' || part === '-h'
  if (isHelp) output.out(USAGE)
  else output.err(`There is no part "${part}".\n\n${USAGE}`)
  return isHelp ? 0 : 2
}

/** The tenant that the words name, `--tenant ID` or `--tenant=ID`; undefined where they name none. */
function tenantIn(args: readonly string[]): string | undefined {
  return args.includes('--help') || args.includes('-h') ? undefined : optionIn(args, 'tenant')
}

/** Whether there is the tenant, or none is named. What keeps it from being looked up the part itself says better. */
async function isKnown(tenantId: string | undefined, environment: NodeJS.ProcessEnv | undefined): Promise<boolean> {
  if (tenantId === undefined) return true
  try {
    const { deps, close } = await openAccounts(loadAccountsEnv(environment), false)
    return await deps.accounts
      .findTenant(tenantId)
      .then((tenant) => tenant !== undefined)
      .finally(close)
  } catch (error) {
    if (error instanceof EnvError || error instanceof NotAvailableError) return true
    throw error
  }
}

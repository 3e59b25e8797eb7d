import { ledgerCli } from '../../subgraphs/payments/cli/ledger-cli.js'

/** @throws Error where the books of a product do not agree */
export async function checkLedger(databaseUrl: string): Promise<void> {
  const lines: string[] = []
  const print = (line: string): number => lines.push(line)
  const code = await ledgerCli(['check'], { out: print, err: print }, { databaseUrl, dataDir: '' })
  if (code !== 0) throw new Error(`the ledger does not agree: ${lines.join('\n').slice(0, 2_000)}`)
}

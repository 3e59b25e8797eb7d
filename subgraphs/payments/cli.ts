import { runInProcess } from '../../kernel/command-line.js'
import { ledgerCli } from './cli/ledger-cli.js'

await runInProcess(ledgerCli)

import { ledgerCli } from './cli/ledger-cli.js'

process.exitCode = await ledgerCli(process.argv.slice(2), {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
})

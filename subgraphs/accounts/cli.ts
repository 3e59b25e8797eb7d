import { tenantCli } from './cli/tenant-cli.js'

process.exitCode = await tenantCli(process.argv.slice(2), {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
})

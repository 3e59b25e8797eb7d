import 'reflect-metadata'
import { kycCli } from './cli/kyc-cli.js'

process.exitCode = await kycCli(process.argv.slice(2), {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
})

import 'reflect-metadata'
import { runInProcess } from '../../kernel/command-line.js'
import { kycCli } from './cli/kyc-cli.js'

await runInProcess(kycCli)

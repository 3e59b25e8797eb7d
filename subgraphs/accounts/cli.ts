import { runInProcess } from '../../kernel/command-line.js'
import { tenantCli } from './cli/tenant-cli.js'

await runInProcess(tenantCli)

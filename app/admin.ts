import 'reflect-metadata'
import { runInProcess } from '../kernel/command-line.js'
import { adminCli } from './admin-cli.js'

await runInProcess(adminCli)

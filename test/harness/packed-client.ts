import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../../kernel/root.js'
import { ownFolder } from './at-end.js'
import { machineEnv } from './env.js'

const run = promisify(execFile)

/** The client as a stranger has it: packed, and installed from the package into a folder outside of the repository. */
export interface PackedClient {
  folder: string
  /** What was packed. */
  files: readonly string[]
}

/** Packs the client, and installs it in a folder of its own without asking a registry. */
export async function installPackedClient(): Promise<PackedClient> {
  const parent = await ownFolder()
  const env = { ...machineEnv, npm_config_cache: join(parent, '.npm') }
  const packed = await run('npm', ['pack', '--json', '--pack-destination', parent], {
    cwd: join(projectRoot, 'client'),
    env,
  })
  const { filename, files } = (JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }])[0]
  const folder = join(parent, 'shop')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(parent, filename)], { cwd: folder, env })
  return { folder, files: files.map(({ path }) => path) }
}

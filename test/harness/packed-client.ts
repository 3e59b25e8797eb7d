import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
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

/** Packing begins with an empty `dist/`, and other tests run what is in the repository's. */
async function copyClient(): Promise<string> {
  const root = await ownFolder()
  const isBuilt = (path: string): boolean => ['dist', 'node_modules'].includes(basename(path))
  await cp(join(projectRoot, 'client'), join(root, 'client'), { recursive: true, filter: (path) => !isBuilt(path) })
  await cp(join(projectRoot, 'tsconfig.json'), join(root, 'tsconfig.json'))
  await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
  return join(root, 'client')
}

/** Packs the client, and installs it in a folder of its own without asking a registry. */
export async function installPackedClient(): Promise<PackedClient> {
  const parent = await ownFolder()
  const client = await copyClient()
  const env = { ...machineEnv, npm_config_cache: join(parent, '.npm') }
  const packed = await run('npm', ['pack', '--json', '--pack-destination', parent], {
    cwd: client,
    env,
  })
  const { filename, files } = (JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }])[0]
  const folder = join(parent, 'shop')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(parent, filename)], { cwd: folder, env })
  return { folder, files: files.map(({ path }) => path) }
}

import { glob, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Builds what browsers get and what `npm start` runs, each by its own Vite configuration, and only where something it was built
 * from is newer than it: every command of the product comes through here, and a build that changes nothing would cost some seconds.
 * Runs as it stands, by Node's own type stripping, before there is a `dist/`, and always with NODE_ENV=production: a test run
 * says `test`, for which Vite builds what developers read, a quarter larger than what payers get.
 */
const BUNDLES = [
  'checkout/vite.config.ts',
  'console/vite.config.ts',
  'docs-site/reference/vite.config.ts',
  'sandbox/toy-wallet/vite.config.ts',
  'app/vite.config.ts',
]

const root = join(import.meta.dirname, '..')

/** What a bundle was built from, and when. */
interface Build {
  /** Milliseconds of the epoch, before the build read its first file. */
  startedAtMs: number
  files: readonly string[]
}

const recordOf = (config: string): string => join(root, 'dist', 'builds', `${config.replaceAll('/', '.')}.json`)

async function isCurrent(config: string): Promise<boolean> {
  try {
    const { startedAtMs, files } = JSON.parse(await readFile(recordOf(config), 'utf8')) as Build
    const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs))
    return times.every((time) => time < startedAtMs)
  } catch {
    // There is no build yet, or one of its files is gone.
    return false
  }
}

async function buildBundle(config: string): Promise<void> {
  const { build } = await import('vite')
  const startedAtMs = Date.now()
  const files = new Set([
    join(root, config),
    join(root, 'checkout', 'precompressed.ts'),
    join(root, 'package-lock.json'),
  ])
  // A style that another one imports is a part of it, and no module.
  const folder = dirname(join(root, config))
  for await (const style of glob('**/*.css', { cwd: folder })) files.add(join(folder, style))
  const inputs: Plugin = {
    name: 'inputs',
    buildEnd() {
      for (const id of this.getModuleIds()) {
        const file = id.split('?')[0] ?? id
        // Modules of packages follow the lock file; virtual ones have no file.
        if (file.startsWith('/') && !file.includes('/node_modules/')) files.add(file)
      }
    },
  }
  await build({ configFile: join(root, config), plugins: [inputs] })
  await mkdir(dirname(recordOf(config)), { recursive: true })
  await writeFile(recordOf(config), JSON.stringify({ startedAtMs, files: [...files] } satisfies Build))
}

for (const config of BUNDLES) if (!(await isCurrent(config))) await buildBundle(config)

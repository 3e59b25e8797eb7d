import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findLastingPort, isPortFree } from './free-port.js'

/**
 * The port that a chain of the sandbox is to listen on: the wanted one, or the one that its data remembers while that is free, or a
 * new one.
 * @returns 0, which lets the process choose, where nothing is kept
 */
export async function choosePort({
  port,
  dataDir,
}: {
  port?: number | undefined
  dataDir?: string | undefined
}): Promise<number> {
  if (port !== undefined) return port
  if (dataDir === undefined) return 0
  const file = portFilePath(dataDir)
  const remembered = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  const usable = Number.isInteger(remembered) && remembered > 0 && remembered < 65_536
  return usable && (await isPortFree(remembered)) ? remembered : findLastingPort()
}

/** Remembers a port with the data, for the next start. */
export function rememberPort(dataDir: string, port: number): void {
  writeFileSync(portFilePath(dataDir), `${port}\n`)
}

function portFilePath(dataDir: string): string {
  return join(dataDir, 'port')
}

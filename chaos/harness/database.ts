import { join } from 'node:path'
import type { Logger } from '../../kernel/log.js'
import { lockDataDir } from '../../sandbox/processes/data-dir-lock.js'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../sandbox/processes/postgres.js'

/** Starts the PostgreSQL that all processes share, in a folder of its own. @param options.onGiveUp once it cannot be kept running */
export async function startDatabase(options: {
  folder: string
  log: Logger
  onGiveUp: (error: Error) => void
}): Promise<EmbeddedPostgres> {
  const lock = await lockDataDir(join(options.folder, 'database'))
  const postgres = await startEmbeddedPostgres({ lock, log: options.log, onGiveUp: options.onGiveUp })
  return {
    ...postgres,
    stop: async () => {
      await postgres.stop()
      await lock.release()
    },
  }
}

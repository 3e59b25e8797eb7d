import type { World } from './world.js'

/** Works off the jobs of a name that are due; what its process does not survive stays. */
export async function runJobs({ kept }: World, name: string, run: (payload: object) => Promise<void>): Promise<void> {
  for (const job of await kept.dueJobs(name)) {
    await run(job.payload)
    // A job that adds itself again has another row then.
    await kept.endJob(job)
  }
}

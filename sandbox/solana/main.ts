import { serve, type ServeOptions } from './serve.js'

// The chain's own process: started by `startSolana` with the options as JSON, ended by SIGTERM.
try {
  const options = JSON.parse(process.argv[2] ?? '') as ServeOptions
  const simulator = await serve(options)
  process.on('SIGTERM', () => {
    void simulator.close().finally(() => process.exit(0))
  })
  console.log(`Listening on ${simulator.url}`)
} catch (error) {
  console.log(`error: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

import 'reflect-metadata'
import type { TargetSettings } from './targets/settings.js'

type Serve = (settings: TargetSettings) => Promise<void>

/**
 * The processes that the product is measured beside; the product itself is started as always. Each loads its own parts
 * only: the hand-written one has nothing of ours in its memory that it does not use.
 */
const TARGETS: Readonly<Record<string, () => Promise<Serve>>> = {
  handwritten: async () => (await import('./targets/handwritten.js')).serveHandwritten,
  'stock-gateway': async () => (await import('./targets/stock-gateway.js')).serveStockGateway,
  'stock-subgraphs': async () => (await import('./targets/stock-subgraphs.js')).serveStockSubgraphs,
}

// A stop ends it in an orderly way, so that it can be profiled.
process.once('SIGTERM', () => process.exit())

/** This file is a process of its own: `target.js <name> <settings as JSON>`. It listens when `/readyz` answers. */
const [, , name = '', settings = ''] = process.argv
const load = TARGETS[name]
if (!load) throw new Error(`no target is named ${name}`)
const serve = await load()
await serve(JSON.parse(settings) as TargetSettings)

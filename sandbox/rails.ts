import { startCardSandbox } from './card/start.js'
import { startPixSandbox } from './pix/start.js'
import type { SimulatorHome } from './state.js'

/** The simulator of a rail's provider, running. */
export interface RailSimulator {
  /** Where a person and the demo find it; its control routes are there. */
  url: string
  /** How the product reaches it, in the words of the rail of its name. */
  settings: object
  /** Tells the provider where the product is, where its dashboard would be told. */
  setProductUrl?: (url: string) => void
  advanceClock: () => Promise<void>
  close: () => Promise<void>
}

/** The simulators of the rails' providers, by the names that the rails have in their registry; a new one is a line here. */
export const RAIL_SIMULATORS = {
  pix: startPixSandbox,
  card: startCardSandbox,
} satisfies Record<string, (home: SimulatorHome) => Promise<RailSimulator>>

/** How the product reaches each simulated provider. */
export type RailSettings = {
  [Name in keyof typeof RAIL_SIMULATORS]: Awaited<ReturnType<(typeof RAIL_SIMULATORS)[Name]>>['settings']
}

import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'

interface TileProps {
  name: string
  value: string
  /** What puts the figure into its place. */
  note?: string | false | undefined
}

/** One figure that is to be seen from afar. */
export function Tile({ name, value, note }: TileProps): ReactNode {
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'md' }} className="tile" data-test="tile">
      <div className="tile-name">{name}</div>
      <div className="tile-value">{value}</div>
      <div className="tile-note">{note}</div>
    </Paper>
  )
}

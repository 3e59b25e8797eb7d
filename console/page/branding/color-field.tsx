import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { isColor } from './branding-draft.js'

/** The colour of pages where a tenant has none of its own. */
export const OUR_COLOR = '#1f4fd8'

/** A colour, typed or chosen. @param color `#rrggbb`, or what is typed so far; empty for ours */
export function ColorField({ color, onChange }: { color: string; onChange: (color: string) => void }): ReactNode {
  const t = useText()
  return (
    <TextInput
      label={t.branding.color}
      description={t.branding.colorHint}
      data-test="branding-color"
      value={color}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
      rightSection={
        <input
          type="color"
          className="swatch"
          aria-label={t.branding.pickColor}
          value={isColor(color) ? color : OUR_COLOR}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
    />
  )
}

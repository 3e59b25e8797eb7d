import { html } from '../kernel/html.js'

/** A picture of a name: its first letter. @returns SVG */
export function initialIcon(name: string): string {
  const letter = [...name][0]?.toUpperCase() ?? ''
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">
    <rect width="64" height="64" rx="16" fill="#1f4fd8" />
    <text x="32" y="43" font-family="sans-serif" font-size="32" font-weight="700" text-anchor="middle" fill="#fff">
      ${letter}
    </text>
  </svg>`.text
}

import { join } from 'node:path'
import { loadBuiltFiles, type BuiltFiles } from '../gateway/built-files.js'
import { projectRoot } from '../kernel/root.js'

/** The scripts and the style sheet of the page, as `npm run build` has made them. */
export interface PageAssets {
  /** Paths of what the document names first. */
  script: string
  style: string
  mount: BuiltFiles['mount']
}

/**
 * Reads the built page into memory.
 * @param folder where the build is
 * @throws Error where it was not built
 */
export function loadAssets(folder = join(projectRoot, 'dist', 'page')): PageAssets {
  const { pathOf, mount } = loadBuiltFiles(folder, '/checkout/')
  return { script: pathOf('client.tsx'), style: pathOf('style.css'), mount }
}

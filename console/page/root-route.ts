import { createRootRoute } from '@tanstack/react-router'
import { Frame } from './parts/frame.js'
import { NotFound } from './parts/not-found.js'

/** What all pages are in. */
export const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })

import './storage.js'
import type { ApiReferenceConfiguration } from '@scalar/fastify-api-reference'

/** What the renderer's own script, which runs after this one, leaves behind. */
declare const Scalar: {
  createApiReference: (element: string, configuration: Partial<ApiReferenceConfiguration>) => void
}

document.addEventListener('DOMContentLoaded', () => {
  // All that the renderer would ask other hosts for, or offer of its maker's services, is off.
  Scalar.createApiReference('#reference', {
    url: '/openapi.json',
    documentDownloadType: 'direct',
    agent: { disabled: true },
    hideClientButton: true,
    // The theme is the browser's, as on every other page of the site.
    hideDarkModeToggle: true,
    // The page is in an origin of its own, which the API answers nothing: keys belong into programs, not into pages.
    hideTestRequestButton: true,
    hideModels: true,
    mcp: { disabled: true },
    defaultOpenAllTags: true,
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    generateOperationSlug: ({ operationId }) => operationId ?? '',
    generateWebhookSlug: ({ name }) => name,
  })
})

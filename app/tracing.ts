import { setTimeout as delay } from 'node:timers/promises'
import { context, propagation, trace } from '@opentelemetry/api'
import type * as Sdk from '@opentelemetry/sdk-trace'
import { oneOf, text, url, type Values } from '../kernel/env.js'
import { sendSpans } from '../kernel/tracing.js'

/** OpenTelemetry's standard variables; the exporter reads its others (headers, timeout, compression, certificates) itself. */
export const TRACING_VARIABLES = {
  otlpUrl: url('OTEL_EXPORTER_OTLP_ENDPOINT', 'where traces go, by OTLP over HTTP; not set: there are none'),
  otlpTracesUrl: url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'the same for traces alone, with its path'),
  otlpProtocol: oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', 'how traces are written', ['http/json'], 'http/json'),
  isTracingDisabled: oneOf('OTEL_SDK_DISABLED', 'true: no traces, whatever else is set', ['true', 'false'], 'false'),
  serviceName: text('OTEL_SERVICE_NAME', 'what the process calls itself in traces', 'payments-api'),
  tracesSampler: oneOf(
    'OTEL_TRACES_SAMPLER',
    'which traces are told',
    ['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_traceidratio'],
    'parentbased_always_on',
  ),
  tracesSamplerArg: text('OTEL_TRACES_SAMPLER_ARG', 'the share of traces that are told, 0 to 1', '1'),
}

export type TracingSettings = Values<typeof TRACING_VARIABLES>

/** How long the last spans may take to be told, beside which the rest of a stop has to fit into ten seconds. */
const STOP_MS = 1_000

/** What is wrong with the settings together. */
export function tracingProblems({ tracesSamplerArg }: TracingSettings): string[] {
  const ratio = Number(tracesSamplerArg)
  return ratio >= 0 && ratio <= 1 ? [] : ['OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1']
}

/**
 * Sends the spans of this process to a collector, in the background and in batches; one that is away costs spans and nothing
 * else. The libraries are loaded only where traces are wanted: they take some megabytes.
 * @returns what tells the last spans and ends it; undefined where no traces are wanted
 */
export async function startTracing(settings: TracingSettings): Promise<{ stop: () => Promise<void> } | undefined> {
  const hasAddress = settings.otlpUrl !== undefined || settings.otlpTracesUrl !== undefined
  if (!hasAddress || settings.isTracingDisabled === 'true') return undefined
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }, resources] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
    ])
  const named = resources.resourceFromAttributes({ 'service.name': settings.serviceName })
  const ofEnvironment = resources.detectResources({ detectors: [resources.envDetector] })
  const exporter = new OTLPTraceExporter({ url: settings.otlpTracesUrl ?? `${settings.otlpUrl}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(ofEnvironment).merge(named),
    sampler: samplerOf(sdk, settings),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  sendSpans()
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  return {
    stop: async () => {
      // A collector that is away must neither hold up the end of the process nor make it a failure.
      const told = provider.shutdown().catch(() => undefined)
      await Promise.race([told, delay(STOP_MS, undefined, { ref: false })])
      for (const api of [trace, context, propagation]) api.disable()
    },
  }
}

function samplerOf(sdk: typeof Sdk, settings: TracingSettings): Sdk.Sampler {
  const { tracesSampler: name, tracesSamplerArg } = settings
  if (name === 'always_on') return new sdk.AlwaysOnSampler()
  if (name === 'always_off') return new sdk.AlwaysOffSampler()
  const isRatio = name === 'traceidratio' || name === 'parentbased_traceidratio'
  const root = isRatio ? new sdk.TraceIdRatioBasedSampler(Number(tracesSamplerArg)) : new sdk.AlwaysOnSampler()
  return name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}

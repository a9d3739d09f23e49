/**
 * Preact with tagged templates, as one module for all views. An effect waits for the next frame: a view that listens to events,
 * or takes back what the next click sets, does so in a layout effect, so that no event between the rendering and the frame is
 * missed.
 */

import htm from 'htm'
import { h } from 'preact'

export const html = htm.bind(h)
export { Fragment, render } from 'preact'
export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'

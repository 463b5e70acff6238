"""Questions to a page: has every control a name, can every text be read, and is a phone wide enough?"""

PHONE = {"width": 360, "height": 740}
NAMELESS = """() => {
  const named = (element) => element.getAttribute("aria-label") || element.innerText?.trim() || element.title
    || [...(element.labels || [])].map((label) => label.innerText).join("").trim();
  const controls = "a, button, input, select, [role=button], [role=group], dialog";
  const shown = [...document.querySelectorAll(controls)].filter((each) => each.checkVisibility());
  const nameless = shown.filter((each) => !named(each) && !each.getAttribute("aria-labelledby"));
  return nameless.map((each) => each.outerHTML);
}"""

# The contrast of every text with what is behind it: the nearest ancestor with a background or, on a board,
# the last shape before it that lies under its middle.
CONTRASTS = """() => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const over = (upper, lower) => {
    const share = upper[3] / 255;
    return [0, 1, 2].map((index) => share * upper[index] + (1 - share) * lower[index]).concat(255);
  };
  const page = rgba(getComputedStyle(document.body).backgroundColor);
  const behind = (element) => {
    if (!element) return page;
    return over(rgba(getComputedStyle(element).backgroundColor), behind(element.parentElement));
  };
  const under = (text) => {
    const box = text.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    let colour = behind(text.closest("svg"));
    for (const shape of text.closest("svg").querySelectorAll("rect, circle, polygon, text")) {
      if (shape === text) break;
      const place = shape.getBoundingClientRect();
      const holds = x >= place.x && x <= place.right && y >= place.y && y <= place.bottom;
      const fill = getComputedStyle(shape).fill;
      if (holds && shape.tagName !== "text" && fill !== "none") colour = over(rgba(fill), colour);
    }
    return colour;
  };
  const light = ([red, green, blue]) => [red, green, blue].map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility({ opacityProperty: true })) continue;
    if (element.closest("noscript, option, .status, .skip")) continue;
    const drawn = element instanceof SVGElement;
    const style = getComputedStyle(element);
    const ground = drawn ? under(element) : behind(element);
    const ink = over(rgba(drawn ? style.fill : style.color), ground);
    found.push([contrast(ink, ground), walker.currentNode.data.trim()]);
  }
  return found;
}"""

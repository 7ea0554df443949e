/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.harness.Report.Axis;
import io.hdfslocalcache.harness.Report.Chart;
import io.hdfslocalcache.harness.Report.Look;
import io.hdfslocalcache.harness.Report.Point;
import io.hdfslocalcache.harness.Report.Series;
import org.junit.Test;

public class TestReport {

  private static final String HARMFUL = "a </script><!-- <b>\"&amp;\\ @LIBRARY@ \u20ac";
  private static final String BEGIN = "<script type=\"application/json\" id=\"report\">";

  private static Report report() {
    Table table = new Table("SSD", ">offload");
    table.row(true, List.of("4 TB", "75 %"));
    return new Report(HARMFUL).lead("first").heading("Keys").code("<name/>\n").figure("7", "reads")
        .figure("8", "hits").chart(new Chart("Sizes", null, Axis.log("TB"), Axis.percent("%"),
            List.of(new Series("bound", Look.HIGH, List.of(new Point(1, 2, HARMFUL))))))
        .table(table).text("last");
  }

  @Test
  public void text_hasAllButCharts_inTheirOrder() {
    assertEquals(HARMFUL + "\n\nfirst\n\nKeys\n<name/>\n\n\nreads: 7\nhits: 8\n\n"
        + "SSD   offload\n4 TB     75 %\n\nlast\n", report().text());
  }

  @Test
  public void html_hasEveryPartAsItIs_andNoTextEndsTheScript() throws Exception {
    String html = report().html();
    int begin = html.indexOf(BEGIN) + BEGIN.length();
    JsonNode page = new ObjectMapper().readTree(
        html.substring(begin, html.indexOf("</script>", begin)));
    assertEquals(HARMFUL, page.get("title").asText());
    JsonNode chart = page.get("parts").findParents("value").stream()
        .filter(part -> part.get("kind").asText().equals("CHART")).findFirst().orElseThrow()
        .get("value");
    assertEquals(HARMFUL, chart.at("/series/0/points/0/label").asText());
    assertTrue(chart.at("/x/logarithmic").asBoolean());
    assertEquals(8, page.get("parts").size());
  }

  @Test
  public void html_loadsNothing_andHasTheLibraryWithItsLicence() throws Exception {
    String html = report().html();
    assertFalse(html.matches("(?s).*<[^>]*(src|href)=.*|(?s).*@import.*"));
    assertTrue(html.contains("Released under the MIT License"));
    assertEquals("three scripts, none of which ends early", 4, html.split("</script>", -1).length);
  }
}

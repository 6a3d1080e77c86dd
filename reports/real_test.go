package reports
import ("testing";"context";"os";"time";"net"
"github.com/monolock-dev/monolock-conform/conformance"
"github.com/monolock-dev/monolock-conform/conformance/subject"
"github.com/monolock-dev/monolock-conform/scenarios/server"
"github.com/monolock-dev/monolock-conform/conformance/spec"
"github.com/monolock-dev/monolock-conform/refserver")
var _ = net.Dial
func TestReal(t *testing.T){
 l := subject.InProcess{New: func() subject.Running { return refserver.New(refserver.Config{}) }, Listen: func(a string)(net.Listener,error){return net.Listen("tcp", "127.0.0.1:0")}, Dial: func(ctx context.Context, a string)(subject.Conn,error){ c,err:=(&net.Dialer{}).DialContext(ctx,"tcp",a); if err!=nil {return nil,err}; return c.(*net.TCPConn),nil}}
 in, err := l.Launch(context.Background()); if err!=nil {t.Fatal(err)}
 defer in.Close()
 p := conformance.DefaultParams(); p.Nonce="x"
 pr := NewProgress(os.Stderr, ProgressOptions{Total: len(server.All())})
 o := conformance.Run(context.Background(), conformance.Plan{Scenarios: server.All(), Target: conformance.Target{Server: in, Launcher: l}, Params: p, Observer: pr})
 pr.Close()
 r := New(Input{Outcome:o, Subject: Subject{Role: spec.RoleServer, Target: in.Target()}, Params:p, Jobs:32, Offered: []spec.Feature{spec.FeatureControl}})
 Text(os.Stderr, r, TextOptions{Verbose:true})
 f,_ := os.Create("/tmp/real.json"); WriteJSON(f,r); f.Close()
 _ = time.Now
}

import HTTP
import Hummingbird

/// The commands that pass through to the services.
struct CommandRoutes: Sendable {
    let proxy: CommandProxy

    func add(to doors: Doors) {
        for route in CommandRoute.passedThrough {
            doors.door(for: route.audience).on(RouterPath(route.template), method: route.method) { request, context in
                try await proxy.forward(request, context, along: route)
            }
        }
    }
}
